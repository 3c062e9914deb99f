import type { OutreachSettings } from '@kith/contracts';
import { DateTime } from 'luxon';
import { quietUntil, startOfDay } from './quiet-hours.js';

/** An open reason to write. */
export interface OpenIntention {
  id: string;
  companionId: string;
  about: string;
  dueAt: Date;
  createdAt: Date;
}

/** A decision to write that was taken before. */
export interface EarlierAttempt {
  status: string;
  decidedAt: Date;
}

export interface OutreachSituation {
  settings: OutreachSettings;
  intentions: readonly OpenIntention[];
  /** Those of the last two days at least: the cap counts the ones of the person's day. */
  attempts: readonly EarlierAttempt[];
  /** Outreach since they last spoke. */
  unanswered: number;
  lastSpokeAt: Date | null;
  /** Why no door reaches them, if so. */
  unreachable: string | null;
  now: Date;
}

export type WaitReason =
  | 'not opted in'
  | 'unreachable'
  | 'unanswered'
  | 'one is under way'
  | 'nothing due'
  | 'daily cap'
  | 'quiet hours'
  | 'in conversation';

export type OutreachDecision =
  | { kind: 'reach-out'; intention: OpenIntention; reason: string }
  /** `until`: when asking again may be answered differently; null when only the person can change it. */
  | { kind: 'wait'; until: Date | null; why: WaitReason };

// Two messages without an answer are a hint; a third would be nagging. After that the person speaks first.
const MAX_UNANSWERED = 2;
// Whoever spoke this recently is still in a conversation, and an outreach would talk over it.
const IN_CONVERSATION_MS = 10 * 60_000;
// "How did it go?" four days later reads as a machine that woke up.
const MAX_OVERDUE_MS = 3 * 24 * 3_600_000;

/**
 * May the companion write first, to this person, now? In doubt it waits. Consent comes first; then whether they
 * can and want to be reached; then the reason; then the hour.
 */
export function decideOutreach(situation: OutreachSituation): OutreachDecision {
  const { settings, intentions, attempts, now } = situation;
  const wait = (why: WaitReason, until: Date | null = null): OutreachDecision => ({
    kind: 'wait',
    until,
    why,
  });

  if (!settings.optedIn) return wait('not opted in');
  if (situation.unreachable !== null) return wait('unreachable');
  if (situation.unanswered >= MAX_UNANSWERED) return wait('unanswered');
  if (attempts.some(({ status }) => status === 'queued')) return wait('one is under way');

  const open = intentions
    .filter((intention) => !isOverdue(intention, now))
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  const [first] = open;
  if (!first) return wait('nothing due');
  if (first.dueAt > now) return wait('nothing due', first.dueAt);

  const today = startOfDay(now, settings.timeZone);
  const sentToday = attempts.filter(
    ({ status, decidedAt }) => status === 'sent' && decidedAt.getTime() >= today.toMillis(),
  );
  if (sentToday.length >= settings.dailyCap) {
    return wait('daily cap', settings.dailyCap === 0 ? null : today.plus({ days: 1 }).toJSDate());
  }
  const quietEnd = quietUntil(now, settings);
  if (quietEnd) return wait('quiet hours', quietEnd);
  const spokeAt = situation.lastSpokeAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (now.getTime() - spokeAt < IN_CONVERSATION_MS) {
    return wait('in conversation', new Date(spokeAt + IN_CONVERSATION_MS));
  }
  return { kind: 'reach-out', intention: first, reason: reasonFor(first, settings.timeZone) };
}

/** Too late to come back to it: it is dropped, not sent. */
export function isOverdue({ dueAt }: Pick<OpenIntention, 'dueAt'>, now: Date): boolean {
  return dueAt < overdueBefore(now);
}

/** Intentions due before this moment are overdue. */
export function overdueBefore(now: Date): Date {
  return new Date(now.getTime() - MAX_OVERDUE_MS);
}

/** For the prompt: what they asked, in their words, and when. At most 500 characters, as the job allows. */
function reasonFor({ about, createdAt }: OpenIntention, zone: string): string {
  const asked = DateTime.fromJSDate(createdAt, { zone }).setLocale('en').toFormat("cccc, d LLLL 'at' HH:mm");
  return `On ${asked} they asked you to come back to something, and now is the time. Their words: “${about.slice(0, 300)}”`;
}
