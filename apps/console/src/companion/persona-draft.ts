import { z } from 'zod';
import { openTabStore } from '../page/tab-store.js';

/** Persona that an operator is changing. */
const PersonaDraft = z.object({
  /** Null: a new companion. */
  companionId: z.string().nullable(),
  /** As it was when the editor was opened. */
  before: z.string(),
  written: z.string(),
});
export type PersonaDraft = z.infer<typeof PersonaDraft>;

const store = openTabStore('kith.persona', PersonaDraft);

/** Loads what this person was changing; null where that is nothing. */
export function loadPersonaDraft(personId: string): PersonaDraft | null {
  return store.load(personId);
}

/** Keeps what this person is changing: it is there again after another page, and after a reload. */
export function savePersonaDraft(personId: string, draft: PersonaDraft): void {
  store.save(personId, draft);
}

export function dropPersonaDraft(): void {
  store.drop();
}
