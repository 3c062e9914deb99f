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

/** Keeps the persona that somebody is changing, over a visit to another page and over a reload. */
export const personaDrafts = openTabStore('kith.persona', PersonaDraft);
