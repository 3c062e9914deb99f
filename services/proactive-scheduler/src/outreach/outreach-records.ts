import {
  Audience,
  OutreachRestriction,
  ReasonKind,
  type OutreachOutlook,
  type OutreachSettings,
  type TurnOrigin,
  type TurnOutcome,
} from '@kith/contracts';
import {
  sql,
  type Database,
  type IntentionModel,
  type LeftPlaces,
  type OutreachAttemptModel,
  type TurnLedger,
  type Tx,
  type Writer,
} from '@kith/database';
import { settle, type QueuedAttempt } from './attempt-records.js';
import { channelOf, whyNowhere } from './choose-place.js';
import {
  ATTEMPTS_WINDOW_MS,
  decideOutreach,
  type EarlierAttempt,
  type OutreachDecision,
  LAST_CALL_MS,
} from './decide-outreach.js';
import { keepNoticed, openNextYear, unsay } from './intention-records.js';
import type { NoticedReason } from './notice-reasons.js';
import { outlookOf } from './outlook-of.js';
import { ensureSettings, settingsOf } from './stored-settings.js';
import { tellable, tellableAttempts } from './told-where.js';
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

/** An ended turn with what its person asked for. */
export interface NoticedTurn {
  turn: EndedTurn;
  noticed: readonly NoticedReason[];
}

const SHOWN_INTENTIONS = 50;
const SHOWN_ATTEMPTS = 20;
// Who speaks later than this after an outreach speaks of something else.
const ANSWER_WITHIN_MS = 24 * 3_600_000;

/** What spans settings, intentions and attempts in Postgres: a turn, a decision. Each method is one transaction. */
export class OutreachRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
    private readonly left: Pick<LeftPlaces, 'read'>,
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
          where: { personId, ...(await tellable(tx, this.left)) },
          orderBy: { dueAt: 'desc' },
          take: SHOWN_INTENTIONS,
        }),
        recent: await tx.outreachAttempt.findMany({
          where: { personId, ...(await tellableAttempts(tx, this.left, personId)) },
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
    const rows = await tx.intention.findMany({
      where: { personId, status: 'open', ...(await tellable(tx, this.left)) },
    });
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

  /**
   * Takes note of ended turns, each once and all in one transaction: that their people spoke and what they asked for, or
   * how the outreach under way ended. Answers for each how many new requests there were.
   */
  async handle(ended: readonly NoticedTurn[]): Promise<number[]> {
    const inOrder = ended.toSorted((a, b) => (a.turn.personId < b.turn.personId ? -1 : 1));
    const kept = new Map<EndedTurn, number>();
    await this.ledger.handle(
      inOrder.map(({ turn }) => turn.personId),
      async (people, tx) => {
        const note = () =>
          Promise.all(inOrder.map(({ turn }) => people.of(turn.personId, (its) => this.#note(its, turn))));
        const hasMore = ({ turn, noticed }: NoticedTurn) => turn.origin === 'outreach' || noticed.length > 0;
        // Most turns ask for nothing: then that is all of it.
        const isNew = await (inOrder.some(hasMore) ? note() : tx.last(note));
        for (const { turn, noticed } of inOrder.filter((one, n) => isNew[n] && hasMore(one))) {
          if (turn.origin === 'outreach') await people.of(turn.personId, (its) => settle(its, turn));
          else kept.set(turn, await keepNoticed((give) => people.of(turn.personId, give), turn, noticed));
        }
      },
    );
    return ended.map(({ turn }) => kept.get(turn) ?? 0);
  }

  /** Brings the open reasons of a turn in line with what it gives now. */
  async handleAgain(
    turn: Pick<EndedTurn, 'turnId' | 'personId' | 'companionId' | 'audience'>,
    noticed: readonly NoticedReason[],
  ): Promise<void> {
    // Its job is still to come, and reads it as it is now.
    if ((await this.ledger.missing([turn.turnId])).length > 0) return;
    await this.database.asPerson(turn.personId, async (tx) => {
      await unsay(tx, turn.turnId, noticed);
      await keepNoticed((give) => give(tx), turn, noticed);
    });
  }

  /** Says of these people in which IANA zone the times they name are meant. */
  async timeZonesOf(personIds: readonly string[]): Promise<(personId: string) => string> {
    const rows = await this.database.read(
      'system',
      (reader) => reader.$queryRaw<{ personId: string; timeZone: string }[]>`
        SELECT person_id AS "personId", time_zone AS "timeZone" FROM outreach_settings
        WHERE person_id = ANY (${[...personIds]}::uuid[])`,
    );
    const zones = new Map(rows.map(({ personId, timeZone }) => [personId, timeZone]));
    return (personId) => zones.get(personId) ?? this.defaults.timeZone;
  }

  /** Notes the turn, and what it says of its person. Returns whether it was new. */
  async #note(tx: Writer, turn: EndedTurn): Promise<boolean> {
    const { personId } = turn;
    if (turn.origin === 'outreach') return this.ledger.note(tx, turn);
    const [, [row]] = await Promise.all([
      ensureSettings(tx, personId, this.defaults),
      this.#noteSpoken(tx, turn),
    ]);
    return row?.isNew === true;
  }

  /**
   * Notes that the person spoke: outreach counts as answered, and a door reaches them. An older fact, heard late, changes
   * nothing, and neither does the same turn again.
   */
  #noteSpoken(tx: Writer, turn: EndedTurn): Promise<{ isNew: boolean }[]> {
    const { personId, companionId, audience, endedAt } = turn;
    const isLater = sql`(last_spoke_at IS NULL OR last_spoke_at < ${endedAt}::timestamptz)`;
    return tx.$queryRaw<{ isNew: boolean }[]>`
      WITH noted AS (${this.ledger.noting(personId, [turn])}), spoke AS (
        UPDATE outreach_settings
        SET last_spoke_at = CASE WHEN ${isLater} THEN ${endedAt}::timestamptz ELSE last_spoke_at END,
          last_companion_id = CASE WHEN ${isLater} THEN ${companionId} ELSE last_companion_id END,
          unanswered = CASE WHEN ${isLater} THEN 0 ELSE unanswered END,
          unreachable = CASE WHEN ${isLater} THEN NULL ELSE unreachable END,
          -- Where they were just answered, they can be written to.
          channel_problem = CASE WHEN channel_id = ${channelOf(audience)} THEN NULL ELSE channel_problem END
        FROM noted WHERE person_id = ${personId}::uuid
      ), answered AS (
        UPDATE outreach_attempts SET answered_at = ${endedAt}
        FROM noted WHERE person_id = ${personId}::uuid AND status = 'sent' AND answered_at IS NULL
          AND decided_at >= ${new Date(endedAt.getTime() - ANSWER_WITHIN_MS)} AND decided_at < ${endedAt}
      )
      SELECT EXISTS (SELECT 1 FROM noted) AS "isNew"`;
  }

  /** Who has opted in and has a reason that is due, or so soon that quiet hours may come before the next look. */
  peopleWithDueReason(now: Date): Promise<string[]> {
    return this.database.read('system', async (reader) => {
      const left = await this.left.read(reader);
      const due = await reader.$queryRaw<{ personId: string }[]>`
        SELECT DISTINCT person_id AS "personId" FROM intentions JOIN outreach_settings USING (person_id)
        WHERE status = 'open' AND due_at <= ${new Date(now.getTime() + LAST_CALL_MS)} AND opted_in
          AND (audience IS NULL OR audience <> ALL (${left}::text[]))`;
      return due.map(({ personId }) => personId);
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

async function isChannelOff(tx: Tx, channelId: string | undefined): Promise<boolean> {
  if (channelId === undefined) return false;
  return (await tx.outreachChannel.findUnique({ where: { channelId } }))?.mode === 'off';
}
