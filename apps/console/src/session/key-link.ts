/**
 * The key in a sign-in link's fragment (`#key=kth_…`), or null. A fragment never leaves the browser, so a
 * key in it is in no server's log.
 */
export function keyInFragment(fragment: string): string | null {
  const key = new URLSearchParams(fragment.replace(/^#/, '')).get('key');
  return key === '' ? null : key;
}
