import {
  type Audience,
  DAY_MS,
  HOUR_MS,
  type OutreachRestriction,
  type OutreachSettings,
  present,
  ReasonKind,
  type WaitReason,
} from '@kith/contracts';
import type { IntentionModel, OutreachAttemptModel } from '@kith/database';
import { DateTime } from 'luxon';
import { choosePlace, isAnywhere, type OutreachPlace } from './choose-place.js';
import { quietUntil, startOfDay, earliestTime } from './quiet-hours.js';
import { topicFinder } from './topic-finder.js';

/** An open reason to write. */
export interface OpenIntention extends Pick<
  IntentionModel,
  'id' | 'companionId' | 'asked' | 'about' | 'dueAt' | 'exact' | 'notBefore' | 'createdAt'
> {
  kind: ReasonKind;
  audience: Audience | null;
}

/** An earlier attempt. It was answered when its person spoke after it, soon enough. */
export type EarlierAttempt = Pick<OutreachAttemptModel, 'status' | 'decidedAt' | 'answeredAt'> & {
  kind: ReasonKind;
};

export interface OutreachSituation {
  personId: string;
  settings: OutreachSettings;
  restriction: { ageState: OutreachRestriction['ageState']; restUntil: Date | null };
  intentions: readonly OpenIntention[];
  /** Attempts of the last `ATTEMPTS_WINDOW_MS` at least. */
  attempts: readonly EarlierAttempt[];
  /** Number of messages since they last spoke. */
  unanswered: number;
  lastSpokeAt: Date | null;
  /** The reason why no door reaches them; null while one does. */
  unreachable: string | null;
  /** True where the operator closed their channel to outreach. */
  isChannelOff: boolean;
  /** True while a turn of theirs, or a message to them, is under way. */
  isBusy: boolean;
  now: Date;
}

export type OutreachDecision =
  | { kind: 'reach-out'; intention: OpenIntention; place: OutreachPlace }
  /** `until` is when the decision may change; null when only the person can change it. */
  | { kind: 'wait'; until: Date | null; why: WaitReason };

// Two messages without an answer are a hint; a third would be nagging. After that the person speaks first.
const MAX_UNANSWERED = 2;
// Whoever spoke this recently is still in a conversation, and an outreach would talk over it.
const IN_CONVERSATION_MS = 10 * 60_000;
/**
 * A request by the hour that falls due this close before quiet hours is said now: the next scan may come after they
 * began, and the next morning would be too late. Scans come at least this often.
 */
export const LAST_CALL_MS = 5 * 60_000;
// A day that is over when the quiet hours end is decided on this long before them: a talk may have to end first.
const BEFORE_DAY_IS_OVER_MS = HOUR_MS;
// A busy person is decided on again after this: a turn takes seconds.
const BUSY_MS = 60_000;
// "How did it go?" four days later reads as a machine that woke up.
const MAX_OVERDUE_MS = 3 * DAY_MS;
// Between two unrequested messages, after an answer: not quite a day, so that the hour varies.
const ATTENTION_MS = 20 * HOUR_MS;
// The wait doubles with each unanswered one, up to about a month.
const MAX_DOUBLINGS = 5;
// A sliding week: seven days with today.
const DAYS_OF_WEEKLY_CAP = 7;

/** A decision considers attempts this old: the longest wait between two unrequested messages, with room to spare. */
export const ATTEMPTS_WINDOW_MS = 2 ** MAX_DOUBLINGS * ATTENTION_MS + 8 * DAY_MS;

/** Tells whether the person asked for it or was promised it. Other kinds are the companion's own idea. */
export function isAskedFor(kind: ReasonKind): boolean {
  return kind === 'promise' || kind === 'request';
}

/**
 * Decides whether the companion writes first, to this person, now. In doubt it waits. Checks in this order: consent,
 * whether they can and want to be reached, the hour and the reason, the limits.
 */
export function decideOutreach(situation: OutreachSituation): OutreachDecision {
  const { settings, now } = situation;
  const barred = whyBarred(situation);
  if (barred) return barred;

  const isOffTopic = topicFinder(settings.topicsOff);
  const wanted = situation.intentions.filter(
    ({ kind, asked, about, dueAt }) =>
      !isOverdue({ kind, dueAt }, now, settings.timeZone) &&
      // A topic that is switched off does not block their own requests.
      (asked || !isOffTopic(about)),
  );
  const open = wanted.filter(({ audience }) => choosePlace(situation, audience) !== null);
  if (open.length === 0 && wanted.length > 0) return wait('nowhere');
  const quietEnd = open.some(({ dueAt }) => dueAt <= now) && quietUntil(now, settings);
  if (quietEnd) return wait('quiet hours', quietEnd);
  const timed = open.map((intention) => ({ intention, at: whenToSay(intention, situation) }));
  const [first] = timed
    .filter(({ at }) => at <= now)
    .map(({ intention }) => intention)
    .toSorted(byRank);
  if (!first) {
    const next = Math.min(...timed.map(({ at }) => at.getTime()));
    return wait('nothing due', Number.isFinite(next) ? new Date(next) : null);
  }

  const enough = whyEnough(situation, first, open);
  if (enough) return enough;
  const spokeAt = situation.lastSpokeAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  const conversationEnds = new Date(spokeAt + IN_CONVERSATION_MS);
  if (conversationEnds > now && !isLastCall(first, conversationEnds, situation)) {
    return wait('in conversation', conversationEnds);
  }
  if (situation.isBusy) return wait('in conversation', new Date(now.getTime() + BUSY_MS));
  return { kind: 'reach-out', intention: first, place: present(choosePlace(situation, first.audience)) };
}

/** Longest wait of a reason whose outreach failed: a few attempts a day, each of which may cost a turn and is shown to the person. */
export const MAX_RETRY_WAIT_MS = 4 * HOUR_MS;

function whenToSay(intention: OpenIntention, situation: OutreachSituation): Date {
  const waitsMs = (intention.notBefore?.getTime() ?? 0) - situation.now.getTime();
  // A longer wait was noted by a clock that was ahead.
  const isHeld = waitsMs > 0 && waitsMs <= MAX_RETRY_WAIT_MS;
  return intention.notBefore && isHeld ? intention.notBefore : whenToSayFirst(intention, situation);
}

function whenToSayFirst(intention: OpenIntention, situation: OutreachSituation): Date {
  const { personId, settings, now } = situation;
  if (intention.dueAt <= now) return earliestTime(intention, { personId, settings, now });
  // Nothing is said early in quiet hours, however soon the next ones begin.
  if (quietUntil(now, settings)) return intention.dueAt;
  const isSoon = intention.dueAt.getTime() - now.getTime() <= LAST_CALL_MS;
  const isQuietWhenDue = quietUntil(intention.dueAt, settings) !== null;
  const isNow = isSoon && !isQuietWhenDue && isLastCall(intention, intention.dueAt, situation);
  return isNow || isBeforeNight(intention, situation) ? now : intention.dueAt;
}

/**
 * Tells whether a task, or a day that matters, falls due in quiet hours that are about to begin, and would be too late
 * after them. Other reasons with such an hour wait, because the person asked for that hour and not for an earlier one.
 */
function isBeforeNight({ kind, exact, dueAt }: OpenIntention, { settings, now }: OutreachSituation): boolean {
  const isTask = kind === 'interest' && exact;
  const isDay = kind === 'date' && quietUntil(dueAt, settings) !== null;
  if (!isTask && !isDay) return false;
  const soon = new Date(now.getTime() + (isDay ? BEFORE_DAY_IS_OVER_MS : LAST_CALL_MS));
  const nightEnds = quietUntil(soon, settings);
  if (nightEnds === null || dueAt >= nightEnds) return false;
  return isTask || isOverdue({ kind, dueAt }, nightEnds, settings.timeZone);
}

/** Tells whether a wait would end in quiet hours, for something that the person asked for at an hour. */
function isLastCall({ kind, exact }: OpenIntention, waitUntil: Date, { settings, now }: OutreachSituation) {
  if (!exact || !isAskedFor(kind)) return false;
  const nextTryAt = Math.max(waitUntil.getTime(), now.getTime() + LAST_CALL_MS);
  return quietUntil(new Date(nextTryAt), settings) !== null;
}

function wait(why: WaitReason, until: Date | null = null): OutreachDecision & { kind: 'wait' } {
  return { kind: 'wait', until, why };
}

/** Finds a ban on every message, whatever its reason. */
function whyBarred(situation: OutreachSituation): OutreachDecision | null {
  const { settings, restriction, unanswered, attempts, now } = situation;
  if (!settings.optedIn) return wait('not opted in');
  if (restriction.ageState === 'minor') return wait('minor');
  if (restriction.restUntil && restriction.restUntil > now) return wait('rest', restriction.restUntil);
  if (!isAnywhere(situation)) return wait('unreachable');
  if (unanswered >= MAX_UNANSWERED) return wait('unanswered');
  if (attempts.some(({ status }) => status === 'queued')) return wait('one is under way');
  return null;
}

/** Finds a used-up limit: the caps hold for every reason, the attention budget for unrequested ones. */
function whyEnough(
  { settings, attempts, now }: OutreachSituation,
  chosen: OpenIntention,
  open: readonly OpenIntention[],
): OutreachDecision | null {
  const { dailyCap, weeklyCap, timeZone } = settings;
  const today = startOfDay(now, timeZone);
  const tomorrow = today.plus({ days: 1 });
  const sent = attempts.filter(({ status }) => status === 'sent');
  const since = (start: DateTime) => sent.filter(({ decidedAt }) => decidedAt.getTime() >= start.toMillis());
  const sentToday = since(today).length;
  if (sentToday >= dailyCap) return wait('daily cap', dailyCap === 0 ? null : tomorrow.toJSDate());
  const lately = since(today.minus({ days: DAYS_OF_WEEKLY_CAP - 1 }));
  if (lately.length >= weeklyCap) {
    // The latest messages fill the cap. It opens when the oldest of those is a week old.
    const first = lately.map(({ decidedAt }) => decidedAt).toSorted((a, b) => a.getTime() - b.getTime())[
      lately.length - weeklyCap
    ];
    const opens = first && startOfDay(first, timeZone).plus({ days: DAYS_OF_WEEKLY_CAP });
    return wait('weekly cap', opens?.toJSDate() ?? null);
  }
  if (isAskedFor(chosen.kind)) return null;

  // Requests that fall due later today keep their share of the cap.
  const kept = open.filter(({ kind, dueAt }) => isAskedFor(kind) && dueAt < tomorrow.toJSDate()).length;
  if (sentToday + kept >= dailyCap) return wait('attention', tomorrow.toJSDate());
  const free = attentionFreeAt(sent);
  return free > now ? wait('attention', free) : null;
}

/**
 * Returns when the next unrequested message may be sent: the wait doubles with each of the latest that were not
 * answered.
 */
function attentionFreeAt(sent: readonly EarlierAttempt[]): Date {
  const own = sent
    .filter(({ kind }) => !isAskedFor(kind))
    .toSorted((one, other) => other.decidedAt.getTime() - one.decidedAt.getTime());
  const last = own[0];
  if (!last) return new Date(0);
  const answered = own.findIndex(({ answeredAt }) => answeredAt !== null);
  const ignored = answered === -1 ? own.length : answered;
  return new Date(last.decidedAt.getTime() + ATTENTION_MS * 2 ** Math.min(ignored, MAX_DOUBLINGS));
}

function byRank(one: OpenIntention, other: OpenIntention): number {
  const rankOf = ({ kind }: OpenIntention) => ReasonKind.options.indexOf(kind);
  return rankOf(one) - rankOf(other) || one.dueAt.getTime() - other.dueAt.getTime();
}

/**
 * Tells whether a reason is too old to send and is to be dropped. A day that matters is over when that day ends by the
 * person's clock.
 */
export function isOverdue(
  { kind, dueAt }: Pick<OpenIntention, 'kind' | 'dueAt'>,
  now: Date,
  timeZone: string,
): boolean {
  return dueAt < (kind === 'date' ? startOfDay(now, timeZone).toJSDate() : overdueBefore(now));
}

/** Returns the time before which due intentions are overdue, whatever their kind. */
export function overdueBefore(now: Date): Date {
  return new Date(now.getTime() - MAX_OVERDUE_MS);
}
