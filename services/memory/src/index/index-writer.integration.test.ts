import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { onEachIndex, type MemoryOnIndex } from '../e2e/on-each-index.js';
import { setLinesAside } from '../facts/reading-records.js';
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

/** Another change of all memories of a person. */
interface Change {
  /** Lets there be something to change. */
  prepare?: (memory: MemoryOnIndex, personId: string, ids: string[]) => Promise<unknown>;
  /** Begins the change. Resolves at its end. */
  begin: (memory: MemoryOnIndex, personId: string, ids: string[]) => Promise<void>;
  isDone: (row: Record<string, unknown>) => boolean;
}

const CHANGES = {
  indexed: {
    prepare: ({ parts }, personId) =>
      parts.database.writer({ personId }).$executeRaw`UPDATE memories SET indexed_in = NULL`,
    begin: ({ parts }, personId) => parts.writer.indexPending(personId),
    isDone: (row) => row['indexed_in'] !== null,
  },
  counted: {
    begin: ({ parts }, personId, ids) => {
      const uses = new UseCounter(parts.database, pino({ level: 'silent' }));
      uses.add(personId, ids, new Date());
      return uses.flush();
    },
    isDone: (row) => row['times_recalled'] === 1,
  },
  'found without a point': {
    prepare: (memory, _, ids) => Promise.all(ids.map((id) => memory.losePoint(id))),
    begin: ({ parts }) => parts.reindexer.reindex(),
    isDone: (row) => row['indexed_in'] !== null,
  },
  'set aside': {
    begin: ({ parts }, personId, ids) =>
      setLinesAside(parts.database, [{ personId, companionId: 'wren' }], ids),
    isDone: (row) => row['read_at'] !== null,
  },
} satisfies Record<string, Change>;
const NAMES = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

onEachIndex('what changes several memories of a person', (memory) => {
  it.each(NAMES.flatMap((name) => [[name, 'first'] as const, [name, 'last'] as const]))(
    'waits for whoever remembers, rather than each for the other: what is %s, beginning with the %s',
    async (name, begins) => {
      // Without others' points the index would be taken for one that was lost.
      await memory.say('I own a barn');
      const { personId } = await memory.say(['I own a boat', 'It rains on the roof']);
      const ids = (await memory.rowsOf(personId)).map(({ id }) => String(id));
      const { database } = memory.parts;
      const scope = { personId };
      const change: Change = CHANGES[name];
      await change.prepare?.(memory, personId, ids);
      let changing = Promise.resolve();
      // As remembering does: first the version with new points, then rows that were said again.
      await database.write(scope, async (tx) => {
        await lockPerson(tx, personId);
        await tx.$executeRaw`UPDATE memory_vector_versions SET version = version + 1`;
        const [one, other] = begins === 'first' ? ids : ids.toReversed();
        await tx.$executeRaw`UPDATE memories SET said_at = said_at WHERE id = ${one}::uuid`;
        changing = change.begin(memory, personId, ids);
        await eventually('it waits for the lock of its person', async () => {
          const [locks] = await database.reader('system').$queryRaw<{ waiting: number }[]>`
          SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;
          return locks?.waiting === 1;
        });
        await tx.$executeRaw`UPDATE memories SET said_at = said_at WHERE id = ${other}::uuid`;
      });
      await changing;
      expect((await memory.rowsOf(personId)).filter(change.isDone)).toHaveLength(2);
    },
  );
});
