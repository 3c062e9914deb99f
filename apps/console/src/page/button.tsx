import type { ComponentProps, JSX } from 'react';

/** A button that sends no form. */
export function Button(props: ComponentProps<'button'>): JSX.Element {
  return <button type="button" {...props} />;
}

/** Such a button that reads as a link does. */
export function LinkButton(props: ComponentProps<'button'>): JSX.Element {
  return <Button className="link" {...props} />;
}
