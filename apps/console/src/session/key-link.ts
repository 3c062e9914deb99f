const KEY_SHAPE = /^kth_[\x21-\x7e]{1,196}$/;

/** Could this be an API key? Only its shape is judged: the gateway knows the keys. */
export function isKeyShaped(text: string): boolean {
  return KEY_SHAPE.test(text);
}

/**
 * The key in a sign-in link's fragment (`#key=kth_…`), or null. A fragment never leaves the browser, so a
 * key in it is in no server's log.
 */
export function keyInFragment(fragment: string): string | null {
  const key = new URLSearchParams(fragment.replace(/^#/, '')).get('key');
  return key !== null && isKeyShaped(key) ? key : null;
}
