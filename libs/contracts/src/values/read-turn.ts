import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import {
  Audience,
  CompanionId,
  ConversationId,
  Door,
  MemoryId,
  PersonId,
  TurnId,
  TurnOrigin,
  Uuid,
} from './words.js';

/** End of a turn, always exactly one of these. */
export const TurnOutcome = z.enum(['answered', 'apologised', 'silent', 'dropped']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

export const TurnMessage = z.object({
  role: z.enum(['person', 'companion']),
  personId: PersonId.nullable(),
  /** The door's own id; null for what the companion said. */
  externalId: z.string().nullable(),
  text: z.string(),
  at: IsoTime,
  /** Times its words were changed; absent: never. */
  revision: z.number().int().optional(),
});

/** A finished turn with what was said in it, as far as it may be told. */
export const ReadTurn = z.object({
  turnId: TurnId,
  conversationId: ConversationId,
  companionId: CompanionId,
  /** Person of the burst. In a channel each person's burst is a turn of its own. */
  personId: PersonId,
  displayName: z.string(),
  door: Door,
  audience: Audience,
  outcome: TurnOutcome,
  /** Reason for the outcome, where it does not go without saying: a `TurnReason` of any version. */
  reason: z.string().nullish(),
  origin: TurnOrigin,
  /** Attempt that an outreach carries out; absent for any other turn. */
  attemptId: Uuid.nullish(),
  /** By our clock, whatever the door says its messages' times are. */
  startedAt: IsoTime.optional(),
  endedAt: IsoTime,
  messages: z.array(TurnMessage),
});
export type ReadTurn = z.infer<typeof ReadTurn>;

export const Exchange = z.object({
  turnId: TurnId,
  /** Companion's line right before; null where there was none, or it was meant for somebody else. */
  before: z.object({ text: z.string(), at: IsoTime }).nullable(),
  reply: z.string().nullable(),
  /** Memories that the reply was written with. */
  recalled: z.array(MemoryId),
});
export type Exchange = z.infer<typeof Exchange>;

/**
 * Cause of a heartbeat: a day that ended, a long silence, a task that comes due, a conversation whose older lines are soon
 * told in short, or memories that do not go together.
 */
export const HeartbeatTrigger = z.enum(['day', 'silence', 'task', 'pressure', 'contradiction']);
export type HeartbeatTrigger = z.infer<typeof HeartbeatTrigger>;

/** The most times of a turn that memory is asked about; a burst has far fewer messages. */
export const MAX_TIMES_ASKED = 500;

/** Selects what a turn's own person said in it. */
export function saidByPerson({ messages, personId }: ReadTurn): ReadTurn['messages'] {
  return messages.filter((message) => message.role === 'person' && message.personId === personId);
}

/** Builds the request of `memory.was-private`: the times at which these turns began and their people spoke. */
export function privacyRequest(turns: readonly ReadTurn[]): { turns: { personId: string; at: string[] }[] } {
  return {
    turns: turns.map((turn) => {
      const times = [turn.startedAt ?? turn.endedAt, ...saidByPerson(turn).map(({ at }) => at)];
      return { personId: turn.personId, at: times.slice(0, MAX_TIMES_ASKED) };
    }),
  };
}
