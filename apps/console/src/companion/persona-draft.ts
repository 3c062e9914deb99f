import { z } from 'zod';
import { openTabStore } from '../page/tab-store.js';

/** Persona that an operator is changing. */
const PersonaDraft = z.object({
  /** Null: a new companion. */
  companionId: z.string().nullable(),
  /** Version that was in force when the editor was opened; absent for a new companion. */
  basedOn: z.number().optional(),
  /** As it was when the editor was opened. */
  before: z.string(),
  written: z.string(),
});
export type PersonaDraft = z.infer<typeof PersonaDraft>;

const store = openTabStore('kith.persona', PersonaDraft);

/** Loads the persona this person was changing; null where there is none. */
export function loadPersonaDraft(personId: string): PersonaDraft | null {
  return store.load(personId);
}

/** Keeps the persona this person is changing, over a visit to another page and over a reload. */
export function savePersonaDraft(personId: string, draft: PersonaDraft): void {
  store.save(personId, draft);
}

export function dropPersonaDraft(): void {
  store.drop();
}
