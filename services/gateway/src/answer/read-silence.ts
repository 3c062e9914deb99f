import { typedWords } from '@kith/contracts';
import { asksForSilence } from '@kith/reading/asks-for-silence';
import type { Claim } from '../inbox/claim.js';

/** Wish not to be written to first: `now` in what is answered, `before` in what its person said last. */
export type Silence = 'now' | 'before' | null;

/**
 * Reads whether the person asks never to be written to first, by the rule by which the scheduler ends consent. What they
 * said last counts too, as a retraction comes right after it and changes nothing.
 */
export function readSilence({
  burst,
  earlier,
  personId,
}: Pick<Claim, 'burst' | 'earlier' | 'personId'>): Silence {
  const asks = ({ text }: { text: string }) => asksForSilence(typedWords(text));
  if (burst.some((message) => !message.deleted && asks(message))) return 'now';
  const own = earlier.filter((line) => line.role === 'person' && line.personId === personId);
  return own.some((line) => line.turnId === own.at(-1)?.turnId && asks(line)) ? 'before' : null;
}
