import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { onEachIndex } from '../e2e/on-each-index.js';
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

    it('waits for whoever remembers, rather than each for the other', async () => {
      const { personId } = await say(['I own a boat']);
      const [row] = await rowsOf(personId);
      const database = memory.parts.database;
      const scope = { personId };
      await database.writer(scope).$executeRaw`UPDATE memories SET indexed_in = NULL`;
      let writing = Promise.resolve();
      // As remembering does: first the version with new points, then a row that was said again.
      await database.write(scope, async (tx) => {
        await lockPerson(tx, personId);
        await tx.$executeRaw`UPDATE memory_vector_versions SET version = version + 1`;
        writing = memory.parts.writer.indexPending(personId);
        await eventually('it waits for a lock', async () => {
          const [locks] = await database.reader('system').$queryRaw<{ waiting: number }[]>`
            SELECT count(*)::int AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          return locks?.waiting === 1;
        });
        await tx.$executeRaw`UPDATE memories SET said_at = said_at WHERE id = ${row?.['id']}::uuid`;
      });
      await writing;
      expect((await rowsOf(personId))[0]?.['indexed_in']).not.toBeNull();
    });
  },
  ['exact'],
);
