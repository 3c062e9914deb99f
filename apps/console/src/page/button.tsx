import type { ComponentProps } from 'react';

/** A button that sends no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />;
}

/** Such a button that reads as a link does. */
export function LinkButton(props: ComponentProps<'button'>) {
  return <Button className="link" {...props} />;
}
