import { keyInFragment } from './key-link.js';

const STORAGE_NAME = 'kith.key';

/**
 * The key this browser signed in with, or null. A sign-in link's key replaces it and is taken out of the
 * address bar and the history at once, so that it is not shared with a copied address.
 */
export function takeStoredKey(): string | null {
  const linked = keyInFragment(window.location.hash);
  if (linked !== null) {
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
    keepKey(linked);
    return linked;
  }
  return window.localStorage.getItem(STORAGE_NAME);
}

export function keepKey(key: string): void {
  window.localStorage.setItem(STORAGE_NAME, key);
}

export function dropKey(): void {
  window.localStorage.removeItem(STORAGE_NAME);
}
