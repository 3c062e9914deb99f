import {
  Audience,
  OutreachRestriction,
  ReasonKind,
  type OutreachOutlook,
  type OutreachSettings,
  type TurnOrigin,
  type TurnOutcome,
} from '@kith/contracts';
import type { Database, IntentionModel, OutreachAttemptModel, TurnLedger, Tx } from '@kith/database';
import { DateTime } from 'luxon';
import { audienceOf, channelOf, whyNowhere } from './choose-place.js';
import {
  ATTEMPTS_WINDOW_MS,
  decideOutreach,
  overdueBefore,
  type EarlierAttempt,
  type OutreachDecision,
} from './decide-outreach.js';
import type { NoticedReason } from './notice-reasons.js';
import { outlookOf } from './outlook-of.js';
import { ensureSettings, settingsOf } from './stored-settings.js';
import { reasonForPerson, reasonForPrompt } from './word-reason.js';

/** What is known of a person, as others may see it. */
export interface OutreachOverview {
  settings: OutreachSettings;
  intentions: IntentionModel[];
  recent: OutreachAttemptModel[];
  outlook: OutreachOutlook;
}

/** A turn that has ended. */
export interface EndedTurn {
  turnId: string;
  personId: string;
  companionId: string;
  origin: TurnOrigin;
  outcome: TurnOutcome;
  /** Why it ended so, where that is not plain. */
  reason: string | null;
  audience: Audience;
  endedAt: Date;
}

/** A decided outreach, as the gateway is asked to carry it out. */
export type QueuedAttempt = Pick<
  OutreachAttemptModel,
  'id' | 'personId' | 'companionId' | 'reason' | 'channelId'
>;

/** A reason of the companion's own accord, and what it comes from: a memory, or a need. */
export interface OwnReason {
  kind: 'interest' | 'need';
  about: string;
  source: string;
  /** Who may hear of it; null when nobody told it. */
  audience: Audience | null;
}

/** A place where a person can't be written to any more. */
export interface Refusal {
  personId: string;
  /** Null for their direct messages. */
  channelId: string | null;
  /** The outreach that did not arrive; null when it was a reply. */
  attemptId: string | null;
  reason: string;
  at: Date;
}

const SHOWN_INTENTIONS = 50;
const MOST_AHEAD_MS = 366 * 24 * 3_600_000;
const SHOWN_ATTEMPTS = 20;
// More open reasons than this is someone trying it out, and each would be a message one day.
const MAX_OPEN_INTENTIONS = 30;
// Who speaks later than this after an outreach speaks of something else.
const ANSWER_WITHIN_MS = 24 * 3_600_000;
// Clocks of two machines differ: a turn may seem to end a little before it was decided on.
const CLOCK_SKEW_MS = 60_000;

/** Outreach in Postgres: intentions and attempts. Each method is one transaction. */
export class OutreachRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
    /** What holds for a person who has said nothing about it. */
    private readonly defaults: OutreachSettings,
  ) {}

  /** What a person allows, what is open and what was sent lately. Everything is off for someone never seen. */
  overview(personId: string, now: Date): Promise<OutreachOverview> {
    return this.database.asPerson(personId, async (tx) => {
      const situation = await this.#situationOf(tx, personId, now, false);
      return {
        settings: situation.settings,
        intentions: await tx.intention.findMany({
          where: { personId },
          orderBy: { dueAt: 'desc' },
          take: SHOWN_INTENTIONS,
        }),
        recent: await tx.outreachAttempt.findMany({
          where: { personId },
          orderBy: { decidedAt: 'desc' },
          take: SHOWN_ATTEMPTS,
        }),
        outlook: outlookOf(decideOutreach(situation), whyNowhere(situation)),
      };
    });
  }

  /** All that a decision on one person rests on. */
  async #situationOf(tx: Tx, personId: string, now: Date, isBusy: boolean) {
    const known = await tx.outreachSetting.findUnique({ where: { personId } });
    const rows = await tx.intention.findMany({ where: { personId, status: 'open' } });
    const attempts = await tx.outreachAttempt.findMany({
      where: { personId, decidedAt: { gte: new Date(now.getTime() - ATTEMPTS_WINDOW_MS) } },
    });
    const settings = settingsOf(known, this.defaults);
    return {
      ...{ personId, settings, isChannelOff: await isChannelOff(tx, settings.channel?.id) },
      restriction: {
        ageState: OutreachRestriction.shape.ageState.parse(known?.ageState ?? 'unknown'),
        restUntil: known?.restUntil ?? null,
      },
      intentions: rows.map((row) => ({
        ...row,
        kind: ReasonKind.parse(row.kind),
        audience: row.audience === null ? null : Audience.parse(row.audience),
      })),
      attempts: attempts.map((row): EarlierAttempt => ({ ...row, kind: ReasonKind.parse(row.kind) })),
      unanswered: known?.unanswered ?? 0,
      lastSpokeAt: known?.lastSpokeAt ?? null,
      unreachable: known?.unreachable ?? null,
      isBusy,
      now,
    };
  }

  /** What was decided, the newest first, from after `cursor` on. */
  attempts(personId: string, limit: number, cursor?: string): Promise<OutreachAttemptModel[]> {
    return this.database.asPerson(personId, (tx) =>
      tx.outreachAttempt.findMany({
        where: { personId },
        orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
        take: limit,
        ...(cursor === undefined ? {} : { cursor: { id: cursor }, skip: 1 }),
      }),
    );
  }

  /**
   * Takes note of an ended turn, once: that the person spoke and what they asked for, or how the outreach under
   * way ended. `notice` reads their requests, given their zone. Answers how many new ones there were.
   */
  handle(turn: EndedTurn, notice: (zone: string) => readonly NoticedReason[]): Promise<number> {
    return this.database.asPerson(turn.personId, async (tx) => {
      if (!(await this.ledger.note(tx, turn))) return 0;
      if (turn.origin === 'outreach') {
        await settle(tx, turn);
        return 0;
      }
      await this.#spoke(tx, turn);
      const known = await tx.outreachSetting.findUnique({ where: { personId: turn.personId } });
      return keep(tx, turn, notice((known ?? this.defaults).timeZone));
    });
  }

  /** The person spoke: outreach counts as answered, and a door reaches them. An older fact, heard late, changes nothing. */
  async #spoke(tx: Tx, { personId, companionId, audience, endedAt }: EndedTurn): Promise<void> {
    await ensureSettings(tx, personId, this.defaults);
    await tx.outreachSetting.updateMany({
      where: { personId, OR: [{ lastSpokeAt: null }, { lastSpokeAt: { lt: endedAt } }] },
      data: { lastSpokeAt: endedAt, lastCompanionId: companionId, unanswered: 0, unreachable: null },
    });
    // Where they were just answered, they can be written to.
    const channelId = channelOf(audience);
    if (channelId !== null)
      await tx.outreachSetting.updateMany({ where: { personId, channelId }, data: { channelProblem: null } });
    await tx.outreachAttempt.updateMany({
      where: {
        ...{ personId, status: 'sent', answeredAt: null },
        decidedAt: { gte: new Date(endedAt.getTime() - ANSWER_WITHIN_MS), lt: endedAt },
      },
      data: { answeredAt: endedAt },
    });
  }

  /**
   * No door reaches the person, or not in their channel, until they speak: unless they have spoken since. What could
   * not be said in a channel is open again, for the place that is left.
   */
  async markUnreachable({ personId, channelId, attemptId, reason, at }: Refusal): Promise<void> {
    await this.database.asPerson(personId, async (tx) => {
      await ensureSettings(tx, personId, this.defaults);
      const isFresh = { OR: [{ lastSpokeAt: null }, { lastSpokeAt: { lt: at } }] };
      await (channelId === null
        ? tx.outreachSetting.updateMany({ where: { personId, ...isFresh }, data: { unreachable: reason } })
        : tx.outreachSetting.updateMany({
            where: { personId, channelId },
            data: { channelProblem: reason },
          }));
      if (attemptId !== null) await failAttempt(tx, { personId, channelId, attemptId, reason });
    });
  }

  /** Drops what nobody would want to be asked any more, for everyone. Answers how many. */
  async dropOverdue(now: Date): Promise<number> {
    const { count } = await this.database.asSystem((tx) =>
      tx.intention.updateMany({
        where: { status: 'open', dueAt: { lt: overdueBefore(now) } },
        data: { status: 'dropped' },
      }),
    );
    return count;
  }

  /** Who has opted in and has a due reason. */
  peopleWithDueReason(now: Date): Promise<string[]> {
    return this.database.asSystem(async (tx) => {
      const due = await tx.intention.findMany({
        where: { status: 'open', dueAt: { lte: now } },
        distinct: ['personId'],
        select: { personId: true },
      });
      const consenting = await tx.outreachSetting.findMany({
        where: { optedIn: true, personId: { in: due.map(({ personId }) => personId) } },
        select: { personId: true },
      });
      return consenting.map(({ personId }) => personId);
    });
  }

  /**
   * Decides for one person and, when it is to reach out, writes the attempt and closes the intention in the same
   * transaction; one that comes every year is opened for the next. The settings row is locked: of two replicas, or
   * an opting-out at the same moment, one waits. `isBusy`: something of theirs is under way at the gateway.
   */
  decideFor(
    personId: string,
    now: Date,
    isBusy: boolean,
  ): Promise<{ decision: OutreachDecision; attempt?: QueuedAttempt }> {
    return this.database.asPerson(personId, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM outreach_settings WHERE person_id = ${personId}::uuid FOR UPDATE`;
      const situation = await this.#situationOf(tx, personId, now, isBusy);
      const { settings } = situation;
      const decision = decideOutreach(situation);
      if (decision.kind === 'wait') return { decision };
      const { intention } = decision;
      const row = situation.intentions.find(({ id }) => id === intention.id)!;
      await tx.intention.update({ where: { id: row.id }, data: { status: 'done' } });
      if (row.yearly) await openNextYear(tx, row, settings.timeZone);
      const { place } = decision;
      const attempt = await tx.outreachAttempt.create({
        data: {
          channelId: place.kind === 'channel' ? place.channelId : null,
          ...{ personId, companionId: row.companionId, intentionId: row.id, kind: row.kind },
          ...{ sources: row.sources, decidedAt: now },
          reason: reasonForPrompt(intention, settings.timeZone),
          because: reasonForPerson(intention, settings.timeZone),
        },
      });
      return { decision, attempt };
    });
  }

  /** Attempts nobody has heard of since `decidedBefore`: the process may have ended before it asked the gateway. */
  staleAttempts(decidedBefore: Date): Promise<QueuedAttempt[]> {
    return this.database.asSystem((tx) =>
      tx.outreachAttempt.findMany({ where: { status: 'queued', decidedAt: { lt: decidedBefore } } }),
    );
  }

  /** Gives up attempts that are still under way after so long. Answers how many. */
  async giveUp(decidedBefore: Date): Promise<number> {
    const { count } = await this.database.asSystem((tx) =>
      tx.outreachAttempt.updateMany({
        where: { status: 'queued', decidedAt: { lt: decidedBefore } },
        data: { status: 'failed', problem: 'nothing was heard of it for hours' },
      }),
    );
    return count;
  }

  /**
   * Who may be asked about something of theirs: they allow it, spoke since `spokeAfter`, and have neither an open
   * reason that nobody asked for nor one of this kind since `idleSince`. With whom they spoke last, and the widest of
   * the places where they may be written to.
   */
  peopleToThinkOf(
    spokeAfter: Date,
    idleSince: Date,
  ): Promise<{ personId: string; companionId: string; timeZone: string; listener: Audience }[]> {
    return this.database.asSystem(async (tx) => {
      const people = await tx.outreachSetting.findMany({
        where: {
          ...{ optedIn: true, ageState: { not: 'minor' }, unreachable: null },
          ...{ lastSpokeAt: { gte: spokeAfter }, lastCompanionId: { not: null } },
        },
      });
      const thoughtOf = await tx.intention.findMany({
        where: {
          personId: { in: people.map(({ personId }) => personId) },
          OR: [
            { status: 'open', kind: { notIn: ['promise', 'request', 'date'] } },
            { kind: { in: ['interest', 'need'] }, createdAt: { gte: idleSince } },
          ],
        },
        distinct: ['personId'],
        select: { personId: true },
      });
      const busy = new Set(thoughtOf.map(({ personId }) => personId));
      return people
        .filter(({ personId }) => !busy.has(personId))
        .map(({ personId, lastCompanionId, timeZone, direct, channelId }) => ({
          ...{ personId, timeZone, companionId: lastCompanionId! },
          listener: direct || channelId === null ? 'direct' : audienceOf(channelId),
        }));
    });
  }

  /** The memories that a person was, or is to be, asked about. */
  async askedAbout(personId: string): Promise<Set<string>> {
    const rows = await this.database.asPerson(personId, (tx) =>
      tx.intention.findMany({ where: { personId, kind: 'interest' }, select: { sources: true } }),
    );
    return new Set(rows.flatMap(({ sources }) => sources.map((source) => source.replace(/^memory:/, ''))));
  }

  /** Keeps something of a person's to ask them about. */
  async keepOwn(
    { personId, companionId }: { personId: string; companionId: string },
    { kind, about, source, audience }: OwnReason,
    dueAt: Date,
  ): Promise<void> {
    await this.database.asPerson(personId, (tx) =>
      tx.intention.create({
        data: {
          ...{ personId, companionId, about, dueAt, kind, audience, exact: false },
          sources: [source],
        },
      }),
    );
  }

  /** Keeps what a companion thought of by itself, for who allows it. Answers why it did not, where it did not. */
  intend(
    { personId, companionId }: { personId: string; companionId: string },
    { about, dueAt }: { about: string; dueAt: Date },
    now: Date,
  ): Promise<string | null> {
    return this.database.asPerson(personId, async (tx) => {
      const settings = await tx.outreachSetting.findUnique({ where: { personId } });
      if (!settings?.optedIn) return 'they have not allowed you to write first';
      if (dueAt <= now || dueAt.getTime() > now.getTime() + MOST_AHEAD_MS)
        return 'that is not within the year ahead';
      const open = await tx.intention.findMany({ where: { personId, status: 'open' } });
      if (open.length >= MAX_OPEN_INTENTIONS) return 'there is enough to come back to already';
      if (open.some((one) => one.about === about)) return 'that is kept already';
      await tx.intention.create({
        data: {
          ...{ personId, companionId, about, dueAt, kind: 'interest', exact: false },
          sources: ['thought'],
        },
      });
      return null;
    });
  }

  /** Lets go of reasons and attempts that came to their end before this. Answers how many. */
  async letGo(endedBefore: Date): Promise<number> {
    return this.database.asSystem(async (tx) => {
      const intentions = await tx.intention.deleteMany({
        where: { status: { in: ['done', 'dropped'] }, dueAt: { lt: endedBefore } },
      });
      const attempts = await tx.outreachAttempt.deleteMany({
        where: { status: { in: ['sent', 'failed'] }, decidedAt: { lt: endedBefore } },
      });
      return intentions.count + attempts.count;
    });
  }
}

/** The turn of the outreach under way has ended. */
async function settle(tx: Tx, { personId, companionId, outcome, reason, endedAt }: EndedTurn): Promise<void> {
  const sent = outcome === 'answered';
  const { count } = await tx.outreachAttempt.updateMany({
    where: {
      personId,
      companionId,
      status: 'queued',
      decidedAt: { lte: new Date(endedAt.getTime() + CLOCK_SKEW_MS) },
    },
    data: sent ? { status: 'sent' } : { status: 'failed', problem: reason ?? outcome },
  });
  if (sent && count > 0) {
    // Unless their answer was heard of first.
    await tx.outreachSetting.updateMany({
      where: { personId, OR: [{ lastSpokeAt: null }, { lastSpokeAt: { lt: endedAt } }] },
      data: { unanswered: { increment: count } },
    });
  }
}

/** An outreach did not arrive. Its reason is open again where direct messages are left to say it. */
async function failAttempt(
  tx: Tx,
  { personId, channelId, attemptId, reason }: Omit<Refusal, 'at' | 'attemptId'> & { attemptId: string },
): Promise<void> {
  const where = { id: attemptId, personId, channelId };
  const attempt = await tx.outreachAttempt.findFirst({ where: { ...where, status: { not: 'failed' } } });
  if (!attempt) return;
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  const isTriedAgain =
    channelId !== null && settings?.optedIn && settings.direct && settings.unreachable === null;
  const next = isTriedAgain ? 'it comes as a direct message' : 'direct messages are not allowed';
  const problem = channelId === null ? reason : `${next}: ${reason}`;
  await tx.outreachAttempt.update({ where: { id: attemptId }, data: { status: 'failed', problem } });
  if (attempt.status === 'sent') {
    await tx.outreachSetting.updateMany({
      where: { personId, unanswered: { gt: 0 } },
      data: { unanswered: { decrement: 1 } },
    });
  }
  if (isTriedAgain && attempt.intentionId !== null) {
    await tx.intention.updateMany({
      where: { id: attempt.intentionId, status: 'done' },
      data: { status: 'open' },
    });
  }
}

async function isChannelOff(tx: Tx, channelId: string | undefined): Promise<boolean> {
  if (channelId === undefined) return false;
  return (await tx.outreachChannel.findUnique({ where: { channelId } }))?.mode === 'off';
}

/** Keeps what a turn gave reason for, as far as there is room. Answers how many were new. */
async function keep(tx: Tx, turn: EndedTurn, noticed: readonly NoticedReason[]): Promise<number> {
  if (noticed.length === 0) return 0;
  const { turnId, personId, companionId, audience } = turn;
  const open = await tx.intention.findMany({
    where: { personId, status: 'open' },
    select: { kind: true, dueAt: true },
  });
  // Told of twice, in two turns, it is still one event.
  const isKnown = ({ kind, dueAt }: NoticedReason) =>
    (kind === 'follow-up' || kind === 'date') &&
    open.some((one) => one.kind === kind && one.dueAt.getTime() === dueAt.getTime());
  const { count } = await tx.intention.createMany({
    data: noticed
      .filter((reason) => !isKnown(reason))
      .slice(0, Math.max(0, MAX_OPEN_INTENTIONS - open.length))
      .map(({ kind, about, dueAt, exact, yearly }) => ({
        ...{ turnId, personId, companionId, kind, about, dueAt, exact, yearly, audience },
        sources: [`turn:${turnId}`],
      })),
    skipDuplicates: true,
  });
  return count;
}

/** The same day of the next year, by the person's calendar. */
async function openNextYear(tx: Tx, row: IntentionModel, zone: string): Promise<void> {
  const { id: _, status: __, ...same } = row;
  const dueAt = DateTime.fromJSDate(row.dueAt, { zone }).plus({ years: 1 }).toJSDate();
  await tx.intention.createMany({ data: [{ ...same, dueAt }], skipDuplicates: true });
}
