import { z } from 'zod';

/** Messages without an outcome yet. They outlive a reload of the tab, not the tab. */
const Unsent = z.array(
  z.object({ companionId: z.string(), messageId: z.string(), text: z.string(), at: z.string() }),
);
export type Unsent = z.infer<typeof Unsent>;

const STORAGE_NAME = 'kith.unsent';

export function loadUnsent(): Unsent {
  try {
    return Unsent.parse(JSON.parse(window.sessionStorage.getItem(STORAGE_NAME) ?? '[]'));
  } catch {
    // Written by another version: nothing in it can be relied upon.
    return [];
  }
}

export function saveUnsent(unsent: Unsent): void {
  if (unsent.length === 0) window.sessionStorage.removeItem(STORAGE_NAME);
  else window.sessionStorage.setItem(STORAGE_NAME, JSON.stringify(unsent));
}
