import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { onEachIndex, type MemoryOnIndex } from '../e2e/on-each-index.js';
import { UseCounter } from '../recall/use-counter.js';
import { lockPerson } from '../rows/memory-row.js';
import { INDEX_BATCH, IndexWriter } from './index-writer.js';

onEachIndex(
  'writing points',
  (memory) => {
    const { say, rowsOf } = memory;

    it('leaves what was put right while it was embedded to be written anew', async () => {
      const { personId } = await say(['I own a boat']);
      const database = memory.parts.database;
      const rows = await database.asSystem(async (tx) => {
        const held = await tx.memory.findMany({ where: { personId } });
        await tx.memory.updateMany({
          where: { personId },
          data: { text: 'I own a sledge', indexedIn: null },
        });
        return held;
      });
      const writer = memory.parts.writer;
      await writer.indexRows(personId, rows);
      expect((await rowsOf(personId))[0]?.['indexed_in']).toBeNull();
      await writer.indexPending(personId);
      expect((await rowsOf(personId))[0]?.['indexed_in']).not.toBeNull();
    });

    it('ends what goes on in the background after its batch', async () => {
      const { personId } = await say(Array.from({ length: INDEX_BATCH + 1 }, (_, n) => `I own boat ${n}`));
      await memory.stores.query('UPDATE memories SET indexed_in = NULL WHERE person_id = $1', [personId]);
      const [database, embeddings] = [memory.parts.database, memory.parts.embeddings];
      const index = memory.parts.index;
      const writer = new IndexWriter(database, index, embeddings, pino({ level: 'silent' }));
      let stopped: Promise<void> | undefined;
      memory.neighbours.duringEmbedding = async () => {
        stopped = writer.stop();
        // More than a change waits for.
        await setTimeout(2_100);
      };
      await writer.indexPendingLater(personId, 'import');
      expect((await rowsOf(personId)).filter((row) => row['indexed_in'] !== null)).toEqual([]);
      await stopped;
      await writer.indexPendingLater(personId, 'import');
      expect((await rowsOf(personId)).filter((row) => row['indexed_in'] === null)).toHaveLength(1);
    });
  },
  ['exact'],
);

/** Begins another change of all memories of a person. Resolves at its end. */
type Change = (memory: MemoryOnIndex, personId: string, ids: string[]) => Promise<void>;

const indexing: Change = ({ parts }, personId) => parts.writer.indexPending(personId);
const counting: Change = ({ parts }, personId, ids) => {
  const uses = new UseCounter(parts.database, pino({ level: 'silent' }));
  uses.add(personId, ids, new Date());
  return uses.flush();
};

onEachIndex('what changes several memories of a person', (memory) => {
  it.each([
    ['is indexed', indexing, 'first'],
    ['is indexed', indexing, 'last'],
    ['is counted', counting, 'first'],
    ['is counted', counting, 'last'],
  ] as const)(
    'waits for whoever remembers, rather than each for the other: what %s',
    async (_, change, begins) => {
      const { personId } = await memory.say(['I own a boat', 'It rains on the roof']);
      const ids = (await memory.rowsOf(personId)).map(({ id }) => String(id));
      const { database } = memory.parts;
      const scope = { personId };
      await database.writer(scope).$executeRaw`UPDATE memories SET indexed_in = NULL`;
      let changing = Promise.resolve();
      // As remembering does: first the version with new points, then rows that were said again.
      await database.write(scope, async (tx) => {
        await lockPerson(tx, personId);
        await tx.$executeRaw`UPDATE memory_vector_versions SET version = version + 1`;
        const [one, other] = begins === 'first' ? ids : ids.toReversed();
        await tx.$executeRaw`UPDATE memories SET said_at = said_at WHERE id = ${one}::uuid`;
        changing = change(memory, personId, ids);
        await eventually('it waits for the lock of its person', async () => {
          const [locks] = await database.reader('system').$queryRaw<{ waiting: number }[]>`
          SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;
          return locks?.waiting === 1;
        });
        await tx.$executeRaw`UPDATE memories SET said_at = said_at WHERE id = ${other}::uuid`;
      });
      await changing;
      const rows = await memory.rowsOf(personId);
      const isChanged = (row: (typeof rows)[number]) =>
        change === indexing ? row['indexed_in'] !== null : row['times_recalled'] === 1;
      expect(rows.filter(isChanged)).toHaveLength(2);
    },
  );
});
