import type { KeyboardEvent } from 'react';

/** Code of a key that an input method takes. */
const TAKEN = 229;

/** Tells whether an input method takes this key. Safari's word for the one that ends a composition is its code alone. */
export function isComposing({ nativeEvent }: Pick<KeyboardEvent, 'nativeEvent'>): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari tells it in no other way
  return nativeEvent.isComposing || nativeEvent.keyCode === TAKEN;
}
