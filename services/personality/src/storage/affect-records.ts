import type { Pad } from '@kith/contracts';
import { toJsonb, type Database, type TurnLedger, type Writer } from '@kith/database';
import type { Appraisal } from '../appraisal/appraisal.js';
import {
  type Between,
  type FeltTurn,
  feelTurns,
  type Own,
  pairOf,
  type TurnToFeel,
} from '../appraisal/feel-turns.js';
import type { Prospect } from '../appraisal/prospects.js';
import type { MoodState } from '../mood/mood-dynamics.js';
import { ORIGIN } from '../mood/pad.js';
import { type NeedLevels, type NeedState, SETTLED } from '../needs/needs.js';
import type { Companion } from '../persona/in-force.js';
import { type ProspectChange, saveProspects } from './prospect-records.js';
import { atRest, needStateOf, readStanding, type Standing, standingOf } from './standing.js';

/** A turn as appraised, on its way into the record. */
export interface AppraisedTurn extends TurnToFeel {
  appraiser: 'model' | 'rules';
  prospects?: TurnProspects;
}

/** What the turn did to what was hoped and feared, and the prospect behind each appraisal that settled one. */
interface TurnProspects extends ProspectChange {
  settled: ReadonlyMap<Appraisal, Prospect>;
}

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

  /**
   * Records turns, each once: affect events, the shared moods, offsets, needs and bonds, in one transaction, and notes
   * those in which there was nothing to feel. The moods' rows are locked first, so turns of one companion are recorded
   * one after the other and none of their changes is lost, however many people talk with it and however many replicas
   * work.
   */
  async record(
    turns: readonly AppraisedTurn[],
    companionOf: (companionId: string) => Companion,
    now: number,
    skipped: readonly { turnId: string; personId: string }[] = [],
  ): Promise<FeltTurn<AppraisedTurn>[]> {
    const companions = [...new Set(turns.map(({ companionId }) => companionId))].toSorted().map(companionOf);
    const byPerson = Map.groupBy([...turns, ...skipped], ({ personId }) => personId);
    const people = [...byPerson.keys()].toSorted();
    return this.ledger.handle(people, async (scopes, tx) => {
      // Given at once, they are sent at once, and still carried out one after the other.
      const [own, noted, between] = await Promise.all([
        Promise.all(companions.map((companion) => lockCompanion(tx, companion, now))),
        Promise.all(
          people.map((personId) =>
            scopes.of(personId, (its) => this.ledger.noteAll(its, personId, byPerson.get(personId)!)),
          ),
        ),
        Promise.all(
          pairsOf(turns).map((pair) =>
            scopes.of(pair.personId, (its) => readBetween(its, pair, companionOf)),
          ),
        ),
      ]);
      const isNew = new Set(noted.flat());
      const feelers = { own: new Map(own), between: new Map(between) };
      const felt = feelTurns(turns, companionOf, (turnId) => isNew.has(turnId), feelers, now);
      const told = felt.filter((one) => one.kind !== 'repeat');
      await tx.last(() =>
        Promise.all([
          ...told.map((one) => scopes.of(one.turn.personId, (its) => saveTurn(its, one))),
          ...pairsOf(told.map(({ turn }) => turn)).map((pair) =>
            scopes.of(pair.personId, (its) => saveBond(its, pair, feelers.between.get(pairOf(pair))!)),
          ),
          ...companions.map(({ view: { id } }) => {
            const ofIt = told.filter(({ turn }) => turn.companionId === id);
            return saveOwn(tx, id, feelers.own.get(id)!, {
              hasFelt: ofIt.some(({ steps }) => steps.length > 0),
              hasNeeds: ofIt.some(({ needs }) => needs !== null),
            });
          }),
        ]),
      );
      return felt;
    });
  }
}

type Pair = Pick<TurnToFeel, 'companionId' | 'personId'>;
type NewlyFelt = Exclude<FeltTurn<AppraisedTurn>, { kind: 'repeat' }>;

function pairsOf(turns: readonly TurnToFeel[]): Pair[] {
  return [...new Map(turns.map((turn) => [pairOf(turn), turn])).values()];
}

/** Locks the companion's mood until the transaction ends; makes its rows, at rest, where there are none. */
async function lockCompanion(
  tx: Writer,
  { view: { id }, temperament }: Companion,
  now: number,
): Promise<[string, Own]> {
  const { pad, at } = atRest(temperament);
  const [, , [row]] = await Promise.all([
    tx.$executeRaw`
      INSERT INTO moods (companion_id, p, a, d, at)
      VALUES (${id}, ${pad.p}, ${pad.a}, ${pad.d}, ${new Date(at)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$executeRaw`
      INSERT INTO needs (companion_id, levels, at) VALUES (${id}, ${toJsonb(SETTLED)}::jsonb, ${new Date(now)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$queryRaw<(Pad & { at: Date; levels: NeedLevels; needsAt: Date })[]>`
      SELECT p, a, d, moods.at, levels, needs.at AS "needsAt" FROM moods JOIN needs USING (companion_id)
      WHERE companion_id = ${id} FOR UPDATE`,
  ]);
  const { p, a, d, ...own } = row!;
  return [
    id,
    { shared: { pad: { p, a, d }, at: own.at.getTime() }, needs: needStateOf(own.levels, own.needsAt) },
  ];
}

async function readBetween(
  tx: Writer,
  pair: Pair,
  companionOf: (companionId: string) => Companion,
): Promise<[string, Between]> {
  const rows = await readStanding(tx, pair.companionId, pair.personId, null);
  const { offset, bond } = standingOf(rows[0], companionOf(pair.companionId).temperament);
  return [pairOf(pair), { offset, bond }];
}

/** Logs the turn as it was felt: with the bond and the needs it left, or without needs for history. */
async function saveTurn(tx: Writer, felt: NewlyFelt): Promise<void> {
  const { turn, companion, bond, needs, at } = felt;
  const { turnId, companionId, personId, prospects } = turn;
  await Promise.all([
    prospects && saveProspects(tx, turn, prospects, at),
    tx.$executeRaw`
      INSERT INTO felt_turns (turn_id, companion_id, person_id, version, needs, needs_at, bond, at)
      VALUES (${turnId}::uuid, ${companionId}, ${personId}::uuid, ${companion.view.version},
        ${needs && toJsonb(needs.levels)}::jsonb, ${needs && new Date(needs.at)}, ${toJsonb(bond)}::jsonb,
        ${new Date(at)})`,
    felt.steps.length > 0 && saveEvents(tx, felt),
  ]);
}

async function saveOwn(
  tx: Writer,
  companionId: string,
  { shared: { pad, at }, needs }: Own,
  { hasFelt, hasNeeds }: { hasFelt: boolean; hasNeeds: boolean },
): Promise<void> {
  await Promise.all([
    hasFelt &&
      tx.$executeRaw`
        UPDATE moods SET p = ${pad.p}, a = ${pad.a}, d = ${pad.d}, at = ${new Date(at)}
        WHERE companion_id = ${companionId}`,
    hasNeeds &&
      tx.$executeRaw`
        UPDATE needs SET levels = ${toJsonb(needs.levels)}::jsonb, at = ${new Date(needs.at)}
        WHERE companion_id = ${companionId}`,
  ]);
}

async function saveEvents(tx: Writer, { turn, before, steps, at }: NewlyFelt): Promise<void> {
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
  { companionId, personId }: Pair,
  { bond, offset }: Between,
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
