import { z } from 'zod';
import type { WrittenMessage } from './chat-thread.js';
import { openTabStore } from '../page/tab-store.js';

/** Message without an answer yet. `refusal` tells why it was refused, `held` why it could not be taken yet. */
const Unsent = z.object({
  companionId: z.string(),
  messageId: z.string(),
  text: z.string(),
  at: z.string(),
  refusal: z.string().optional(),
  held: z.string().optional(),
  /** State of it at the gateway. */
  taken: z.enum(['no', 'maybe', 'yes']).optional(),
});
export type Unsent = z.infer<typeof Unsent>;

const store = openTabStore('kith.unsent', z.array(Unsent));

/** A message as it is kept over a reload, with how far it had got: it then waits in its place as before. */
export function toKeep({ companionId, message }: WrittenMessage): Unsent {
  const { messageId, text, at, state, problem, taken } = message;
  const reason = problem ?? undefined;
  return {
    companionId,
    messageId,
    text,
    at,
    taken,
    ...(state === 'refused' ? { refusal: reason } : { held: reason }),
  };
}

/** Loads this person's messages; none while somebody else's are kept. */
export function loadUnsent(personId: string): Unsent[] {
  return store.load(personId) ?? [];
}

/** Keeps this person's messages in the place of all that was kept. */
export function saveUnsent(personId: string, unsent: Unsent[]): void {
  if (unsent.length === 0) store.drop();
  else store.save(personId, unsent);
}
