import { typedWords } from '@kith/contracts/typed-words';
import { asksForSilence } from '@kith/reading/asks-for-silence';
import { noticeReasons, type NoticedReason, type SaidInTurn } from './notice-reasons.js';

/** Readings of a turn that have to do with writing first. */
export interface TurnReading {
  reasons: NoticedReason[];
  /** When the person last asked not to be written to any more; null where they did not. */
  silencedAt: Date | null;
}

/** Reads a turn for reasons to write, and for the wish that it never happens. */
export function readTurn(said: SaidInTurn, timeZone: string): TurnReading {
  const asking = said.person.filter(({ text }) => asksForSilence(typedWords(text)));
  return { reasons: noticeReasons(said, timeZone), silencedAt: asking.at(-1)?.saidAt ?? null };
}
