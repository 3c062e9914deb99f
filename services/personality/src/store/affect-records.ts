import { toJsonb, type Database, type TurnLedger, type Writer } from '@kith/database';
import type { OwnAffect, PairAffect } from '../affect/feel.js';
import { feelTurns, type FeltTurn, type Pair, pairKey, type TurnToFeel } from '../affect/feel-turns.js';
import { atRest, type MoodState } from '../affect/mood/mood-decay.js';
import { type NeedLevels, INITIAL_LEVELS } from '../affect/needs/needs.js';
import type { Companion } from '../persona/companion.js';
import { saveFelt, type AppraisedTurn } from './save-felt.js';
import { moodOf, needStateOf, readPairAffect, readSnapshot, snapshotOf } from './stored-snapshot.js';

/** Loads and saves moods, needs and bonds. */
export class AffectRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
  ) {}

  /** Loads mood, needs, bond and the note of `noteDay` (a date as ISO text) in one query: every reply waits for it. */
  async snapshot({ view, temperament }: Companion, personId: string, noteDay: string | null = null) {
    const row = await this.database.read({ personId }, (reader) =>
      readSnapshot(reader, view.id, personId, noteDay),
    );
    return snapshotOf(row, temperament);
  }

  /** Loads the companion's own mood and needs. */
  async own({ view, temperament }: Companion): Promise<OwnAffect> {
    const where = { companionId: view.id };
    const [mood, needs] = await this.database.asSystem(async (tx) => [
      await tx.mood.findUnique({ where }),
      await tx.need.findUnique({ where }),
    ]);
    return {
      shared: mood ? moodOf(mood) : atRest(temperament),
      needs: needStateOf((needs?.levels ?? null) as NeedLevels | null, needs?.at ?? null),
    };
  }

  /** Returns those of these turns that are not recorded yet. Spares model calls; the transaction that records asks again. */
  unrecorded(turnIds: readonly string[]): Promise<string[]> {
    return this.ledger.missing(turnIds);
  }

  /**
   * Feels turns on top of what is stored and saves the result: affect events, shared moods, offsets, needs and bonds, in
   * one transaction, each turn once. Notes the skipped turns as handled. The moods' rows are locked first, so turns of one
   * companion are recorded one after the other and none of their changes is lost, however many people talk with it and
   * however many replicas work.
   */
  async record(
    turns: readonly AppraisedTurn[],
    now: number,
    skipped: readonly { turnId: string; personId: string }[] = [],
  ): Promise<FeltTurn<AppraisedTurn>[]> {
    const byPerson = Map.groupBy([...turns, ...skipped], ({ personId }) => personId);
    const people = [...byPerson].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const ids = people.map(([personId]) => personId);
    return this.ledger.handle(ids, async (scopes, tx) => {
      // Statements given together are sent together, and still run one after the other.
      const [own, noted, pairs] = await Promise.all([
        Promise.all(restingMoods(turns).map(([id, rest]) => lockOwn(tx, id, rest, now))),
        Promise.all(
          people.map(([personId, its]) =>
            scopes.of(personId, (scope) => this.ledger.noteAll(scope, personId, its)),
          ),
        ),
        Promise.all(pairsOf(turns).map((pair) => scopes.of(pair.personId, (its) => readPair(its, pair)))),
      ]);
      const isNew = new Set(noted.flat());
      const states = { own: new Map(own), pairs: new Map(pairs) };
      const { felt, after } = feelTurns(turns, (turnId) => isNew.has(turnId), states, now);
      await tx.last(() => saveFelt(scopes, tx, felt, after));
      return felt;
    });
  }
}

/** The companions of these turns by id, each with its mood at rest. */
function restingMoods(turns: readonly TurnToFeel[]): [string, MoodState][] {
  const rests = turns.map(
    ({ companionId, character }) => [companionId, atRest(character.temperament)] as const,
  );
  return [...new Map(rests)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The pairs of these turns, each once. */
function pairsOf(turns: readonly TurnToFeel[]): Pair[] {
  return [...new Map(turns.map((turn) => [pairKey(turn), turn])).values()];
}

async function readPair(tx: Writer, pair: Pair): Promise<[string, PairAffect]> {
  return [pairKey(pair), await readPairAffect(tx, pair.companionId, pair.personId)];
}

/** Locks the companion's mood until the transaction ends; makes its rows, at rest, where there are none. */
async function lockOwn(
  tx: Writer,
  id: string,
  { pad, at }: MoodState,
  now: number,
): Promise<[string, OwnAffect]> {
  const [, , [row]] = await Promise.all([
    tx.$executeRaw`
      INSERT INTO moods (companion_id, p, a, d, at)
      VALUES (${id}, ${pad.p}, ${pad.a}, ${pad.d}, ${new Date(at)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$executeRaw`
      INSERT INTO needs (companion_id, levels, at) VALUES (${id}, ${toJsonb(INITIAL_LEVELS)}::jsonb, ${new Date(now)})
      ON CONFLICT (companion_id) DO NOTHING`,
    tx.$queryRaw<[{ p: number; a: number; d: number; at: Date; levels: NeedLevels; needsAt: Date }]>`
      SELECT p, a, d, moods.at, levels, needs.at AS "needsAt" FROM moods JOIN needs USING (companion_id)
      WHERE companion_id = ${id} FOR UPDATE`,
  ]);
  return [id, { shared: moodOf(row), needs: needStateOf(row.levels, row.needsAt) }];
}
