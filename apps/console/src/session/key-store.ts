import { keyInFragment } from './key-link.js';

const STORAGE_NAME = 'kith.key';

/**
 * The key to sign in with, or null: a sign-in link's, or else the one this browser keeps. A link's key is
 * taken out of the address bar and the history at once, so that it is not shared with a copied address.
 */
export function takeStoredKey(): string | null {
  const linked = keyInFragment(window.location.hash);
  if (linked === null) return window.localStorage.getItem(STORAGE_NAME);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return linked;
}

export function keepKey(key: string): void {
  window.localStorage.setItem(STORAGE_NAME, key);
}

export function dropKey(): void {
  window.localStorage.removeItem(STORAGE_NAME);
}
