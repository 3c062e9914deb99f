import { asksForSilence } from './asks-for-silence.js';
import { noticeReasons, type NoticedReason, type SaidInTurn } from './notice-reasons.js';

/** Readings of a turn that have to do with writing first. */
export interface TurnReading {
  reasons: NoticedReason[];
  /** The person asked not to be written to any more. */
  endsConsent: boolean;
}

/** Reads a turn for reasons to write, and for the wish that it never happens. */
export function readTurn(said: SaidInTurn, timeZone: string): TurnReading {
  return {
    reasons: noticeReasons(said, timeZone),
    endsConsent: said.person.some(({ text }) => asksForSilence(text)),
  };
}
