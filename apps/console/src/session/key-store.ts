import { openBrowserStore } from '../page/browser-store.js';
import { signInLinkIn, type SignInLink } from './sign-in-link.js';

const STORAGE_NAME = 'kith.key';
const browser = openBrowserStore('localStorage');

/** True where a key stays in the browser once this page is closed. */
export const keepsKeys = browser.isLasting;

/**
 * The sign-in link that this page was opened by, or null. It is taken out of the address bar and the history at once,
 * so that it is not shared with a copied address.
 */
export function takeSignInLink(): SignInLink | null {
  const link = signInLinkIn(window.location.hash);
  if (link !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return link;
}

/** The key that this browser keeps, or this page alone where the browser keeps nothing. */
export function keptKey(): string | null {
  return browser.read(STORAGE_NAME);
}

export function keepKey(key: string): void {
  browser.write(STORAGE_NAME, key);
}

/**
 * Calls back once another tab puts another key, or none, in the place of this one.
 * @returns a function that ends the watch
 */
export function watchKey(key: string, onGone: () => void): () => void {
  const onStorage = (): void => {
    if (keptKey() !== key) onGone();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

export function dropKey(): void {
  browser.drop(STORAGE_NAME);
}
