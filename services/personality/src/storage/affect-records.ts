import type { Pad } from '@kith/contracts';
import { toJsonb, type Database, type TurnLedger, type Writer } from '@kith/database';
import type { Appraisal } from '../appraisal/appraisal.js';
import type { Feeling } from '../mood/feelings.js';
import type { Prospect } from '../appraisal/prospects.js';
import {
  needPull,
  needsAfterTurn,
  needsAt,
  type NeedLevels,
  type NeedState,
  SETTLED,
} from '../needs/needs.js';
import type { Companion } from '../persona/in-force.js';
import { feelTurn, feltMood, type Moods, moodsAt, type MoodState } from '../mood/mood-dynamics.js';
import { ORIGIN } from '../mood/pad.js';
import { placeInTime } from '../mood/place-in-time.js';
import { afterTurn, type Bond } from '../relationship/bond.js';
import { type ProspectChange, saveProspects } from './prospect-records.js';
import { atRest, needStateOf, readStanding, type Standing, standingOf } from './standing.js';

/** A turn as appraised, on its way into the record. */
interface AppraisedTurn {
  turnId: string;
  companionId: string;
  personId: string;
  /** When the person had said it all, in milliseconds since the epoch. */
  endedAt: number;
  appraiser: 'model' | 'rules';
  feelings: readonly Feeling[];
  prospects?: TurnProspects;
}

/** What the turn did to what was hoped and feared, and the prospect behind each appraisal that settled one. */
interface TurnProspects extends ProspectChange {
  settled: ReadonlyMap<Appraisal, Prospect>;
}

/**
 * What recording did: `felt` is the mood towards the person after the turn. A `repeat` was recorded before;
 * `history` is from before the mood last moved, and left it alone.
 */
type Recorded = { kind: 'recorded' | 'repeat'; felt: Pad } | { kind: 'history' };

/** A prospect as its outcome's event refers to it. */
export type SettledProspect = {
  turnId: string;
  kind: Prospect['kind'];
  since: string;
};

/** The truth about mood and bond, in Postgres. */
export class AffectRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
  ) {}

  /** Mood, needs, bond and the note of `noteDay` (a date as ISO text), in one query: every reply waits for it. */
  async standing(
    { view, temperament }: Companion,
    personId: string,
    noteDay: string | null = null,
  ): Promise<Standing & { selfNote: string | null }> {
    return this.database.read({ personId }, async (reader) => {
      const row = (await readStanding(reader, view.id, personId, noteDay))[0];
      return { ...standingOf(row, temperament), selfNote: row?.note ?? null };
    });
  }

  /** The companion's own mood and needs. */
  async own({ view, temperament }: Companion): Promise<{ shared: MoodState; needs: NeedState }> {
    const where = { companionId: view.id };
    const [mood, needs] = await this.database.asSystem(async (tx) => [
      await tx.mood.findUnique({ where }),
      await tx.need.findUnique({ where }),
    ]);
    return {
      shared: mood
        ? { pad: { p: mood.p, a: mood.a, d: mood.d }, at: mood.at.getTime() }
        : atRest(temperament),
      needs: needStateOf((needs?.levels ?? null) as NeedLevels | null, needs?.at ?? null),
    };
  }

  /** Which of these turns are not recorded yet? Spares model calls; the transaction that records asks again. */
  unrecorded(turnIds: readonly string[]): Promise<string[]> {
    return this.ledger.missing(turnIds);
  }

  /** Notes a turn in which there was nothing to feel. */
  async skip(turn: { turnId: string; personId: string }): Promise<void> {
    await this.database.write({ personId: turn.personId }, (tx) => this.ledger.note(tx, turn));
  }

  /**
   * Records a turn once: its affect events, the shared mood, the offset, needs and bond, in one transaction. The
   * mood's row is locked first, so turns of one companion are recorded one after the other and none of their
   * changes is lost, however many people talk with it and however many replicas work.
   */
  async record(turn: AppraisedTurn, companion: Companion, now: number): Promise<Recorded> {
    const { companionId, personId } = turn;
    const { temperament, view } = companion;
    return this.database.write({ personId }, async (tx) => {
      // Given at once, they are sent at once, and still carried out one after the other.
      const [, rows, isNew] = await Promise.all([
        lockCompanion(tx, companion, now),
        readStanding(tx, companionId, personId, null),
        this.ledger.note(tx, turn),
      ]);
      const standing = standingOf(rows[0], temperament);
      if (!isNew) {
        const moods = moodsAt(standing.shared, standing.offset, temperament, standing.shared.at);
        return { kind: 'repeat', felt: feltMood(moods, needPull(standing.needs.levels, companion.needs)) };
      }
      const place = placeInTime(turn.endedAt, standing.shared.at, now);
      const spokenAt = place.kind === 'present' ? place.at : Math.min(turn.endedAt, now);
      const bond = afterTurn(standing.bond, turn.feelings, spokenAt);
      const keepProspects = async () => turn.prospects && saveProspects(tx, turn, turn.prospects, spokenAt);
      if (place.kind === 'history') {
        await Promise.all([
          keepProspects(),
          saveBond(tx, turn, bond, standing.offset),
          saveTurn(tx, turn, view.version, { bond, needs: null, at: spokenAt }),
        ]);
        return { kind: 'history' };
      }
      const { at } = place;
      const needs = laterNeeds(standing.needs, turn, companion, at);
      const before = moodsAt(standing.shared, standing.offset, temperament, at);
      const steps = feelTurn(before, turn.feelings);
      const after = steps.at(-1);
      await Promise.all([
        keepProspects(),
        saveTurn(tx, turn, view.version, { bond, needs, at }),
        ...(after
          ? [saveEvents(tx, turn, before, steps, at), saveMood(tx, companionId, after.shared, at)]
          : []),
        saveBond(tx, turn, bond, after ? { pad: after.offset, at } : standing.offset),
      ]);
      return {
        kind: 'recorded',
        felt: feltMood(after ?? before, needPull(needs.levels, companion.needs)),
      };
    });
  }
}

/** The needs after a turn. One that comes out of order meets them as they are by now: they never go back in time. */
function laterNeeds(before: NeedState, turn: AppraisedTurn, { needs }: Companion, turnAt: number): NeedState {
  const at = Math.max(before.at, turnAt);
  return { levels: needsAfterTurn(needsAt(before, needs, at), turn.feelings), at };
}

/** Locks the companion's mood until the transaction ends; makes its rows, at rest, where there are none. */
async function lockCompanion(tx: Writer, { view, temperament }: Companion, now: number): Promise<void> {
  const { pad, at } = atRest(temperament);
  await Promise.all([
    tx.$executeRaw`
      INSERT INTO moods (companion_id, p, a, d, at)
      VALUES (${view.id}, ${pad.p}, ${pad.a}, ${pad.d}, ${new Date(at)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$executeRaw`
      INSERT INTO needs (companion_id, levels, at) VALUES (${view.id}, ${toJsonb(SETTLED)}::jsonb, ${new Date(now)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$queryRaw`SELECT 1 FROM moods WHERE companion_id = ${view.id} FOR UPDATE`,
  ]);
}

/** Logs the turn as it was felt: with the bond and the needs it left, or without needs for history. */
async function saveTurn(
  tx: Writer,
  { turnId, companionId, personId }: AppraisedTurn,
  version: number,
  left: { bond: Bond; needs: NeedState | null; at: number },
): Promise<void> {
  const levels = left.needs && toJsonb(left.needs.levels);
  const needsAt = left.needs && new Date(left.needs.at);
  await Promise.all([
    tx.$executeRaw`
      INSERT INTO felt_turns (turn_id, companion_id, person_id, version, needs, needs_at, bond, at)
      VALUES (${turnId}::uuid, ${companionId}, ${personId}::uuid, ${version}, ${levels}::jsonb, ${needsAt},
        ${toJsonb(left.bond)}::jsonb, ${new Date(left.at)})`,
    levels &&
      tx.$executeRaw`
        UPDATE needs SET levels = ${levels}::jsonb, at = ${needsAt} WHERE companion_id = ${companionId}`,
  ]);
}

async function saveMood(tx: Writer, companionId: string, { p, a, d }: Pad, at: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE moods SET p = ${p}, a = ${a}, d = ${d}, at = ${new Date(at)} WHERE companion_id = ${companionId}`;
}

async function saveEvents(
  tx: Writer,
  turn: AppraisedTurn,
  before: Moods,
  steps: readonly Moods[],
  at: number,
): Promise<void> {
  const { turnId, companionId, personId, appraiser } = turn;
  const events = turn.feelings.map(({ name, intensity, appraisal }, n) => ({
    ...{ intensity, emotion: name },
    ...(steps[n]?.shared ?? ORIGIN),
    // With the offset that followed, the mood towards this person can be replayed as well.
    // With the mood before it, what it did can be told without looking for what came before.
    appraisal: {
      variables: appraisal,
      offset: { ...(steps[n]?.offset ?? ORIGIN) },
      before: { ...(steps[n - 1] ?? before).shared },
      settles: settledBy(turn, appraisal),
    },
  }));
  await tx.$executeRaw`
    INSERT INTO affect_events (turn_id, companion_id, person_id, appraiser, intensity, emotion, p, a, d, appraisal, at)
    SELECT ${turnId}::uuid, ${companionId}, ${personId}::uuid, ${appraiser}, intensity, emotion, p, a, d, appraisal,
      ${new Date(at)}::timestamptz
    FROM jsonb_to_recordset(${toJsonb(events)}::jsonb)
      AS felt (intensity float8, emotion text, p float8, a float8, d float8, appraisal jsonb)`;
}

/** Where the appraised event is the outcome of a prospect, that one: without its words, which may be forgotten. */
function settledBy({ prospects }: AppraisedTurn, appraisal: Appraisal): SettledProspect | null {
  const prospect = prospects?.settled.get(appraisal);
  if (!prospect) return null;
  const { turnId, kind, since } = prospect;
  return { turnId, kind, since: new Date(since).toISOString() };
}

async function saveBond(
  tx: Writer,
  { companionId, personId }: AppraisedTurn,
  bond: Bond,
  offset: MoodState,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO relationships (companion_id, person_id, familiarity, affection, trust, interactions, tension, sentiment,
      stage, strained, milestones, first_met_at, last_spoke_at, offset_p, offset_a, offset_d, offset_at)
    VALUES (${companionId}, ${personId}::uuid, ${bond.familiarity}, ${bond.affection}, ${bond.trust},
      ${bond.interactions}, ${bond.tension}, ${bond.sentiment}, ${bond.stage}, ${bond.strained},
      ${toJsonb(bond.milestones)}::jsonb, ${new Date(bond.firstMetAt ?? 0)}, ${new Date(bond.lastSpokeAt ?? 0)},
      ${offset.pad.p}, ${offset.pad.a}, ${offset.pad.d}, ${new Date(offset.at)})
    ON CONFLICT (companion_id, person_id) DO UPDATE SET
      (familiarity, affection, trust, interactions, tension, sentiment, stage, strained, milestones, first_met_at,
        last_spoke_at, offset_p, offset_a, offset_d, offset_at) =
      (excluded.familiarity, excluded.affection, excluded.trust, excluded.interactions, excluded.tension,
        excluded.sentiment, excluded.stage, excluded.strained, excluded.milestones, excluded.first_met_at,
        excluded.last_spoke_at, excluded.offset_p, excluded.offset_a, excluded.offset_d, excluded.offset_at)`;
}
