import type { Pad } from '@kith/contracts';
import type { Database, Tx, TurnLedger } from '@kith/database';
import type { Feeling } from '../mood/feelings.js';
import {
  feelTurn,
  feltMood,
  type Moods,
  moodsAt,
  type MoodState,
  type Temperament,
} from '../mood/mood-dynamics.js';
import { ORIGIN } from '../mood/pad.js';
import { placeInTime } from '../mood/place-in-time.js';
import { afterTurn, type Bond } from '../relationship/bond.js';
import { atRest, readStanding, type Standing, standingOf } from './standing.js';

/** A turn as appraised, on its way into the record. */
interface AppraisedTurn {
  turnId: string;
  companionId: string;
  personId: string;
  /** When the person had said it all, in milliseconds since the epoch. */
  endedAt: number;
  appraiser: 'model' | 'rules';
  feelings: readonly Feeling[];
}

/**
 * What recording did: `felt` is the mood towards the person after the turn. A `repeat` was recorded before;
 * `history` is from before the mood last moved, and left it alone.
 */
type Recorded = { kind: 'recorded' | 'repeat'; felt: Pad } | { kind: 'history' };

/** The truth about mood and bond, in Postgres. */
export class AffectRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
  ) {}

  /** Mood, bond and the note of `noteDay` (a date as ISO text), in one query: every reply waits for it. */
  async standing(
    companionId: string,
    personId: string,
    temperament: Temperament,
    noteDay: string | null = null,
  ): Promise<Standing & { selfNote: string | null }> {
    return this.database.readAsPerson(personId, async (reader) => {
      const row = (await readStanding(reader, companionId, personId, noteDay))[0];
      return { ...standingOf(row, temperament), selfNote: row?.note ?? null };
    });
  }

  /** The companion's own mood. */
  async sharedMood(companionId: string, temperament: Temperament): Promise<MoodState> {
    const row = await this.database.asSystem((tx) => tx.mood.findUnique({ where: { companionId } }));
    return row ? { pad: { p: row.p, a: row.a, d: row.d }, at: row.at.getTime() } : atRest(temperament);
  }

  /** Which of these turns are not recorded yet? Spares model calls; the transaction that records asks again. */
  unrecorded(turnIds: readonly string[]): Promise<string[]> {
    return this.ledger.missing(turnIds);
  }

  /** Notes a turn in which there was nothing to feel. */
  async skip(turn: { turnId: string; personId: string }): Promise<void> {
    await this.database.asPerson(turn.personId, (tx) => this.ledger.note(tx, turn));
  }

  /**
   * Records a turn once: its affect events, the shared mood, the offset and the bond, in one transaction. The
   * mood's row is locked first, so turns of one companion are recorded one after the other and none of their
   * changes is lost, however many people talk with it and however many replicas work.
   */
  async record(turn: AppraisedTurn, temperament: Temperament, now: number): Promise<Recorded> {
    const { companionId, personId } = turn;
    return this.database.asPerson(personId, async (tx) => {
      await lockMood(tx, companionId, temperament);
      const standing = standingOf((await readStanding(tx, companionId, personId, null))[0], temperament);
      if (!(await this.ledger.note(tx, turn))) {
        return { kind: 'repeat', felt: feltMood(moodsOf(standing, temperament, standing.shared.at)) };
      }
      const bond = afterTurn(standing.bond, turn.feelings, Math.min(turn.endedAt, now));
      const place = placeInTime(turn.endedAt, standing.shared.at, now);
      if (place.kind === 'history') {
        await saveBond(tx, turn, bond, standing.offset);
        return { kind: 'history' };
      }
      const before = moodsOf(standing, temperament, place.at);
      const steps = feelTurn(before, turn.feelings);
      const after = steps.at(-1);
      if (!after) {
        await saveBond(tx, turn, bond, standing.offset);
        return { kind: 'recorded', felt: feltMood(before) };
      }
      await saveEvents(tx, turn, steps, place.at);
      await tx.mood.update({ where: { companionId }, data: { ...after.shared, at: new Date(place.at) } });
      await saveBond(tx, turn, bond, { pad: after.offset, at: place.at });
      return { kind: 'recorded', felt: feltMood(after) };
    });
  }
}

function moodsOf({ shared, offset }: Standing, temperament: Temperament, at: number): Moods {
  return moodsAt(shared, offset, temperament, at);
}

/** Locks the companion's mood until the transaction ends; makes its row, at rest, where there is none. */
async function lockMood(tx: Tx, companionId: string, temperament: Temperament): Promise<void> {
  const { pad, at } = atRest(temperament);
  await tx.$executeRaw`
    INSERT INTO moods (companion_id, p, a, d, at)
    VALUES (${companionId}, ${pad.p}, ${pad.a}, ${pad.d}, ${new Date(at)})
    ON CONFLICT (companion_id) DO NOTHING`;
  await tx.$queryRaw`SELECT 1 FROM moods WHERE companion_id = ${companionId} FOR UPDATE`;
}

async function saveEvents(tx: Tx, turn: AppraisedTurn, steps: readonly Moods[], at: number): Promise<void> {
  const { turnId, companionId, personId, appraiser } = turn;
  await tx.affectEvent.createMany({
    data: turn.feelings.map(({ name, intensity, appraisal }, n) => ({
      ...{ turnId, companionId, personId, appraiser, intensity, emotion: name, at: new Date(at) },
      ...(steps[n]?.shared ?? ORIGIN),
      // With the offset that followed, the mood towards this person can be replayed as well.
      appraisal: { variables: appraisal, offset: { ...(steps[n]?.offset ?? ORIGIN) } },
    })),
  });
}

async function saveBond(tx: Tx, turn: AppraisedTurn, bond: Bond, offset: MoodState): Promise<void> {
  const { companionId, personId } = turn;
  const data = {
    familiarity: bond.familiarity,
    affection: bond.affection,
    trust: bond.trust,
    interactions: bond.interactions,
    firstMetAt: new Date(bond.firstMetAt ?? 0),
    lastSpokeAt: new Date(bond.lastSpokeAt ?? 0),
    ...{ offsetP: offset.pad.p, offsetA: offset.pad.a, offsetD: offset.pad.d, offsetAt: new Date(offset.at) },
  };
  await tx.relationship.upsert({
    where: { companionId_personId: { companionId, personId } },
    create: { companionId, personId, ...data },
    update: data,
  });
}
