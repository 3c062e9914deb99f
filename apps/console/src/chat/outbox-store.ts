import { z } from 'zod';

/** Messages without an outcome yet. They outlive a reload of the tab, not the tab. */
const Unsent = z.array(
  z.object({ companionId: z.string(), messageId: z.string(), text: z.string(), at: z.string() }),
);
export type Unsent = z.infer<typeof Unsent>;
/** Kept with their person: another one who signs in here must not say them. */
const Kept = z.object({ personId: z.string(), unsent: Unsent });

const STORAGE_NAME = 'kith.unsent';

/** Loads this person's messages; none while somebody else's are kept. */
export function loadUnsent(personId: string): Unsent {
  try {
    const kept = Kept.parse(JSON.parse(window.sessionStorage.getItem(STORAGE_NAME) ?? 'null'));
    return kept.personId === personId ? kept.unsent : [];
  } catch {
    // Nothing is kept, or another version wrote it: nothing in that can be relied upon.
    return [];
  }
}

/** Keeps this person's messages in the place of all that was kept. */
export function saveUnsent(personId: string, unsent: Unsent): void {
  if (unsent.length === 0) dropUnsent();
  else
    window.sessionStorage.setItem(
      STORAGE_NAME,
      JSON.stringify({ personId, unsent } satisfies z.infer<typeof Kept>),
    );
}

export function dropUnsent(): void {
  window.sessionStorage.removeItem(STORAGE_NAME);
}
