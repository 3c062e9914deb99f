import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { memoryContract, type ReadTurn, type RequestInput, type ResponseOutput } from '@kith/contracts';
import { QdrantDouble } from '@kith/testing';
import { startMemory, type MemorySuite } from './memory-suite.js';

/** The asker's time, a day after what turns of the suite said. */
export const NOW = '2026-05-02T10:00:00.000Z';
export const CHANNEL = 'channel:discord:1';

type RecallAnswer = ResponseOutput<typeof memoryContract.recall>;

/** The running service on one index, and what tests do with it. */
export interface MemoryOnIndex extends Pick<
  MemorySuite,
  'messenger' | 'stores' | 'neighbours' | 'parts' | 'turn'
> {
  readonly kind: 'exact' | 'qdrant';
  readonly qdrant: QdrantDouble | undefined;
  remember: (turn: ReadTurn) => Promise<void>;
  /** Remembers a turn in which a person says these things. */
  say: (said: string | string[], over?: Partial<ReadTurn>) => Promise<ReadTurn>;
  /** Has something said on a day. */
  sayOn: (day: string, text: string, over?: Partial<ReadTurn>) => Promise<ReadTurn>;
  /** Reads facts from what a person has said. */
  extract: (personId: string) => Promise<void>;
  recall: (
    turn: Pick<ReadTurn, 'personId'>,
    query: string,
    over?: Partial<RequestInput<typeof memoryContract.recall>>,
  ) => Promise<RecallAnswer>;
  textsOf: (found: { memories: { text: string }[] }) => string[];
  rowsOf: (personId: string) => Promise<Record<string, unknown>[]>;
  pointsOf: (personId: string) => Promise<number>;
  /** Deletes a point from the index, behind the service's back. */
  losePoint: (id: string) => Promise<void>;
}

/**
 * Runs tests on the exact index and on Qdrant, each with the service and stores of its own.
 * @param kinds one of them alone, where what is tested is Postgres's
 */
export function onEachIndex(
  subject: string,
  tests: (memory: MemoryOnIndex) => void,
  kinds: readonly MemoryOnIndex['kind'][] = ['exact', 'qdrant'],
): void {
  describe.each(kinds)(`${subject}, on the %s index`, (kind) => {
    let suite: MemorySuite;
    let qdrant: QdrantDouble | undefined;

    beforeAll(async () => {
      if (kind === 'qdrant') qdrant = await QdrantDouble.start();
      suite = await startMemory(qdrant?.url);
      Object.assign(memory, suite, { qdrant });
    });
    afterAll(async () => {
      await suite.stop();
      await qdrant?.stop();
    });
    afterEach(() => {
      suite.neighbours.embeddingDown = false;
      suite.neighbours.tellsAway = false;
      if (qdrant) qdrant.down = false;
    });

    const remember = (turn: ReadTurn): Promise<void> => suite.parts.remembering.remember([turn.turnId]);
    const onPoints = async (action: string, filter: unknown): Promise<unknown> => {
      const points = `${qdrant!.url}/collections/kith-memories-${suite.neighbours.space.id}/points`;
      const response = await fetch(`${points}/${action}`, {
        method: 'POST',
        body: JSON.stringify({ filter }),
      });
      return ((await response.json()) as { result: unknown }).result;
    };
    // The rest of it is there once the service runs.
    const memory = {
      kind,
      turn: (said, over) => suite.turn(said, over),
      remember,
      async say(said, over) {
        const turn = suite.turn(said, over);
        await remember(turn);
        return turn;
      },
      async sayOn(day, text, over) {
        const turn = suite.turn(text, over);
        for (const message of turn.messages) message.at = `${day}T10:00:00.000Z`;
        await remember(turn);
        return turn;
      },
      extract: (personId) => suite.parts.extraction.extract([{ personId, companionId: 'wren' }]),
      recall: ({ personId }, query, over = {}) =>
        suite.messenger.ask(memoryContract.recall, {
          personId,
          companionId: 'wren',
          audience: 'direct',
          query,
          now: NOW,
          ...over,
        }),
      textsOf: ({ memories }) => memories.map(({ text }) => text),
      rowsOf: (personId) =>
        suite.stores.query('SELECT * FROM memories WHERE person_id = $1 ORDER BY id', [personId]),
      async pointsOf(personId) {
        if (qdrant) {
          const person = { must: [{ key: 'person_id', match: { value: personId } }] };
          return ((await onPoints('count', person)) as { count: number }).count;
        }
        const rows = await suite.stores.query('SELECT 1 FROM memory_vectors WHERE person_id = $1', [
          personId,
        ]);
        return rows.length;
      },
      async losePoint(id) {
        if (qdrant) await onPoints('delete?wait=true', { must: [{ has_id: [id] }] });
        else await suite.stores.query('DELETE FROM memory_vectors WHERE memory_id = $1', [id]);
      },
    } as MemoryOnIndex;
    tests(memory);
  });
}
