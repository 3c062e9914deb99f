import { typedWords } from '@kith/contracts';
import { asksForSilence } from '@kith/reading/asks-for-silence';
import type { Claim } from '../inbox/claim.js';
import { isHistory } from './finished-turn.js';

/** Wish not to be written to first: `now` in what is answered, `before` in what its person said last. */
export type Silence = 'now' | 'before' | null;

/**
 * Reads whether the person asks never to be written to first, by the rule by which the scheduler ends consent. What they
 * said last counts too, as a retraction comes right after it and changes nothing. So does what was said long ago and comes
 * now: they may have consented since.
 */
export function readSilence({
  burst,
  earlier,
  personId,
}: Pick<Claim, 'burst' | 'earlier' | 'personId'>): Silence {
  const asks = ({ text }: { text: string }) => asksForSilence(typedWords(text));
  const asking = burst.findLast((message) => !message.deleted && asks(message));
  if (asking) return isHistory(asking) ? 'before' : 'now';
  const own = earlier.filter((line) => line.role === 'person' && line.personId === personId);
  return own.some((line) => line.turnId === own.at(-1)?.turnId && asks(line)) ? 'before' : null;
}
