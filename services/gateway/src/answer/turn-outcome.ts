import { firstOf, type Door, type PassingReason, type TurnOrigin } from '@kith/contracts';
import type { HookRefusal } from '@kith/llm';
import type { Claim } from '../inbox/claim.js';
import type { FinishedTurn } from './finished-turn.js';
import type { Thought } from './think.js';
import type { Effects } from './turn-effects.js';

/** Fixed words: they need no model, no Redis and no vector store. */
const SORRY = "I'm sorry, I can't think straight right now, so I won't make something up.";
const APOLOGY = `${SORRY} Your message is safe; please try again in a little while.`;

/** Effects of a turn that called no tools. */
const NOTHING: Effects = { done: new Set(), unsure: new Set() };

/** Words an apology. Whatever was done for the message would be done twice if they asked for it again. */
function apologyAfter({ done, unsure }: Effects): string {
  if (done.size + unsure.size === 0) return APOLOGY;
  const told = [
    ...(done.size > 0 ? [`This is done, so please don't ask for it again: ${[...done].join(', ')}.`] : []),
    ...(unsure.size > 0
      ? [`This may be done, so please look before you ask for it again: ${[...unsure].join(', ')}.`]
      : []),
  ];
  return `${SORRY} ${told.join(' ')} For the rest, please try again in a little while.`;
}

/** Ends a message that nobody could answer. Uses no other service: their failure must not fail this. */
export function apologyFor(claim: Claim, turnId: string, now: Date, effects: Effects): FinishedTurn {
  const isMessage = firstOf(claim.burst).origin === 'message';
  return {
    ...nothingSaid(claim, turnId, now, ''),
    outcome: isMessage ? 'apologised' : 'dropped',
    reply: isMessage ? apologyAfter(effects) : null,
    reason: 'poison',
    endedAt: now,
  };
}

/** Begins the account of a turn that says nothing yet. */
export function nothingSaid(claim: Claim, turnId: string, startedAt: Date, personName: string) {
  return {
    turnId,
    personName,
    companionName: claim.companionId,
    reply: null,
    model: null,
    rehearsal: false,
    degraded: [],
    isUnheard: false,
    questions: [],
    lastStep: null,
    recalled: [],
    mood: null,
    details: claimDetails(claim),
    startedAt,
  };
}

/** Notes the claim for the trace. */
export function claimDetails({ claimedAt, leaseToken }: Claim): Record<string, unknown> {
  return { claimedAt: claimedAt.toISOString(), leaseToken: String(leaseToken) };
}

/** Names the door of a turn's messages, and the ids by which it knows them. */
export function idsOf(claim: Claim): { door: Door; inboxIds: string[]; messageIds: string[] } {
  return {
    door: firstOf(claim.burst).door,
    inboxIds: claim.burst.map((message) => String(message.id)),
    messageIds: claim.burst.map((message) => message.externalId),
  };
}

/** Ends a turn that a hook refused, with the hook's own words, with silence, or with an apology where it failed. */
export function refusedBy(
  { reason, say, hasFailed }: HookRefusal,
  origin: TurnOrigin,
  effects: Effects = NOTHING,
): Pick<FinishedTurn, 'outcome' | 'reason' | 'reply'> {
  if (origin !== 'message')
    return { outcome: origin === 'outreach' ? 'dropped' : 'silent', reason, reply: null };
  const reply = hasFailed ? apologyAfter(effects) : say;
  return { outcome: reply === null ? 'silent' : 'apologised', reason, reply };
}

/** Decides a turn's outcome: a person gets an apology, a message that the companion meant to start is dropped. */
export function outcomeOf(
  text: string | null,
  { problem, tries, effects }: Pick<Thought, 'problem' | 'tries' | 'effects'>,
  origin: TurnOrigin,
): Pick<FinishedTurn, 'outcome' | 'reason' | 'reply'> {
  // What a companion thinks by itself is its own.
  if (origin === 'heartbeat') return { outcome: 'silent', reason: problem ?? 'thought', reply: null };
  if (text !== null) return { outcome: 'answered', reason: null, reply: text };
  if (origin === 'outreach') {
    const isRefused = tries.some(({ kind }) => kind === 'hook');
    const reason = isRefused ? problem : ('no-model' satisfies PassingReason);
    return { outcome: 'dropped', reason, reply: null };
  }
  return { outcome: 'apologised', reason: problem, reply: apologyAfter(effects) };
}
