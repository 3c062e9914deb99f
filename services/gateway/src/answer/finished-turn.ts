import {
  DAY_MS,
  lastOf,
  type MoodView,
  type RecalledMemory,
  type ToolQuestion,
  type TurnOutcome,
  type TurnReason,
} from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import type { StepRow } from '../steps/step-log.js';
import type { Effects } from './turn-effects.js';

/** Outcome of a turn, before it is committed. */
export interface FinishedTurn {
  turnId: string;
  outcome: TurnOutcome;
  /** Reason for which it was not answered, or null. */
  reason: TurnReason | null;
  reply: string | null;
  personName: string;
  companionName: string;
  model: string | null;
  rehearsal: boolean;
  degraded: string[];
  /** True if a hook refused the message: it is in no transcript, and no prompt will show it. */
  isUnheard: boolean;
  /** Calls of tools that the person is asked about. */
  questions: ToolQuestion[];
  /** Effects of its tools; absent where it called none. */
  effects?: Effects;
  /** Step that thought before it spoke; null where there was none. */
  lastStep: StepRow | null;
  recalled: RecalledMemory[];
  mood: MoodView | null;
  /** Oldest line that its prompt showed; absent if there was no prompt, or it showed none. */
  toldFrom?: bigint;
  /** Share of the room for talk that its prompt took, and number of contradictions that it was told. */
  noticed?: { fullness: number; unsettled: number };
  /** Tokens that the next epoch has for the talk; absent where this epoch goes on. */
  nextTalkTokens?: number;
  /** Timings, prompt size by part, model tries: what an operator opens when something was odd. */
  details: Record<string, unknown>;
  startedAt: Date;
  endedAt: Date;
}

interface TranscriptLine {
  role: 'person' | 'companion';
  name: string;
  external_id: string | null;
  text: string;
  at: Date;
}

/** Lists the lines that a turn adds to the transcript, in order. */
export function transcriptOf(claim: Claim, turn: FinishedTurn): TranscriptLine[] {
  // Messages that nobody could answer are kept out of the next prompts: they would fail, too.
  const said = (claim.poison || turn.isUnheard ? [] : claim.burst)
    .filter((message) => message.origin === 'message' && !message.deleted)
    .map((message): TranscriptLine => ({
      role: 'person',
      name: turn.personName,
      external_id: message.externalId,
      text: message.text,
      at: message.sentAt,
    }));
  if (turn.reply === null) return said;
  // History that is imported keeps its own time: the reply belongs right after what it answers.
  const last = lastOf(claim.burst);
  const at = isHistory(last) ? last.sentAt : turn.endedAt;
  return [...said, { role: 'companion', name: turn.companionName, external_id: null, text: turn.reply, at }];
}

/** Age at which an arriving message is history that someone imports. */
const HISTORY_MS = DAY_MS;

/** Tells whether a message was said long before it arrived here. */
export function isHistory(message: { sentAt: Date; receivedAt: Date }): boolean {
  return message.receivedAt.getTime() - message.sentAt.getTime() > HISTORY_MS;
}
