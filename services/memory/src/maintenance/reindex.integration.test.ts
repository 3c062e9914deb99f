import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { memoryContract, type IndexState, type ResponseOutput } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { onEachIndex } from '../e2e/on-each-index.js';
import { ExactIndex } from '../index/exact/exact-index.js';
import { analyseText } from '../words/analyse-text.js';
import { digestOf } from '../words/content-hash.js';
import { removeUnusedSpaces } from './remove-unused-spaces.js';

onEachIndex('the index', (memory) => {
  const { say, recall, textsOf, rowsOf, pointsOf, losePoint } = memory;

  // One that is still at work would do the next test's, or have it wait: there is one reindexing at a time.
  afterEach(() =>
    eventually('no reindexing goes on', async () => {
      const { running } = await memory.messenger.ask(memoryContract.index, {});
      return !running;
    }),
  );

  it('makes the index ready, as often as it is asked', async () => {
    const ready = await memory.messenger.ask(memoryContract.init, {});
    expect(ready).toMatchObject({ space: 'test-1', index: memory.kind });
    expect((await memory.messenger.ask(memoryContract.init, {})).space).toBe('test-1');
  });

  describe('reindexing', () => {
    it('notices by itself what was lost, and what has no row, and mends both', async () => {
      const turn = await say(['I like mango', 'I like papaya']);
      const gone = await say('I like guava');
      await memory.stores.query('DELETE FROM memories WHERE person_id = $1', [gone.personId]);
      const [lost] = await rowsOf(turn.personId);
      await losePoint(String(lost!['id']));
      await memory.messenger.enqueue(memoryContract.reindex, {});
      await eventually('both are mended', async () => {
        const points = [await pointsOf(turn.personId), await pointsOf(gone.personId)];
        return points[0] === 2 && points[1] === 0;
      });
    });

    it('removes the points of rows that are not open, after which nothing is left to be ordered', async () => {
      const turn = await say('I like medlar');
      await memory.stores.query(
        `UPDATE memories SET shelf = 'archive', indexed_in = NULL WHERE person_id = $1`,
        [turn.personId],
      );
      expect(await pointsOf(turn.personId)).toBe(1);
      await memory.parts.reindexer.reindex();
      expect(await pointsOf(turn.personId)).toBe(0);
      const ordered = jest.spyOn(memory.parts.messenger, 'enqueue');
      for (let times = 0; times < 2; times += 1) await memory.parts.upkeep.compare(new Date());
      expect(ordered).not.toHaveBeenCalledWith(memoryContract.reindex, {});
      ordered.mockRestore();
    });

    it('is told how far it has come, and that recall lacks something until it is done', async () => {
      const turn = await say(Array.from({ length: 70 }, (_, n) => `I collected stamp ${n}`));
      for (const { id } of await rowsOf(turn.personId)) await memory.losePoint(String(id));
      await memory.stores.query('UPDATE memories SET indexed_in = NULL WHERE person_id = $1', [
        turn.personId,
      ]);
      let during: Promise<unknown> | undefined;
      memory.neighbours.duringEmbedding = async () => {
        memory.neighbours.duringEmbedding = async () => {
          during = Promise.all([
            memory.messenger.ask(memoryContract.index, {}),
            recall(turn, 'which stamp?'),
          ]);
          await during;
        };
      };
      await memory.messenger.enqueue(memoryContract.reindex, {});
      const [state, found] = (await eventually('the second batch', () => during)) as [
        IndexState,
        ResponseOutput<typeof memoryContract.recall>,
      ];
      expect(state).toMatchObject({ running: true, progress: { done: 64, total: 70 } });
      expect(found.degraded).toEqual(['dense']);
      await eventually('the end of it', async () => {
        const after = await memory.messenger.ask(memoryContract.index, {});
        return !after.running && after.indexed === after.memories;
      });
      expect((await recall(turn, 'which stamp?')).degraded).toEqual([]);
    });

    it('fills another space beside the one in use, and then goes by it', async () => {
      const { neighbours } = memory;
      const before = neighbours.space.id;
      const turn = await say(Array.from({ length: 70 }, (_, n) => `I heard of comet ${n}`));
      neighbours.nextSpace = { ...neighbours.space, id: 'test-next' };
      let meanwhile: Promise<unknown> | undefined;
      const during = async () => {
        const { progress } = await memory.messenger.ask(memoryContract.index, {});
        if (!progress?.isBeside) {
          neighbours.duringEmbedding = during;
          return;
        }
        meanwhile = recall(turn, 'which comet?').then(async (found) => {
          await say('I heard of comet 99', { personId: turn.personId });
          return found;
        });
      };
      neighbours.duringEmbedding = during;
      await memory.parts.upkeep.compare(new Date());
      await eventually('the switch', async () => {
        const { space, next } = await memory.messenger.ask(memoryContract.index, {});
        return space === 'test-next' && next === null;
      });
      expect(await meanwhile).toMatchObject({ degraded: [] });
      const found = await recall(turn, 'comet 99');
      expect([found.degraded, textsOf(found)[0]]).toEqual([[], 'I heard of comet 99']);
      // One that is remembered in the moment of the switch is found by its words first.
      await eventually('its vector in the new space', async () => {
        const [first] = (await recall(turn, 'comet 99')).memories;
        return first?.text === 'I heard of comet 99' && first.why.denseRank !== null;
      });
      expect(await memory.messenger.ask(memoryContract.index, {})).toMatchObject({ space: 'test-next' });
      // What was chosen is kept, also by who looks anew.
      await memory.parts.upkeep.compare(new Date());
      expect((await memory.messenger.ask(memoryContract.index, {})).space).toBe('test-next');

      const index = memory.parts.index;
      const removeUnused = (now: Date) =>
        removeUnusedSpaces(
          {
            index,
            database: memory.parts.database,
            embeddings: memory.parts.embeddings,
            logger: pino({ level: 'silent' }),
          },
          now,
        );
      const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
      const held = async () => [(await index.count(before)) > 0, (await index.count('test-next')) > 0];
      await removeUnused(new Date());
      await removeUnused(inDays(8));
      expect(await held()).toEqual([true, true]);
      const old = neighbours.space;
      neighbours.space = neighbours.nextSpace;
      neighbours.nextSpace = null;
      await removeUnused(inDays(9));
      expect(await held()).toEqual([true, true]);
      await removeUnused(inDays(16));
      expect(await held()).toEqual([false, true]);
      expect(textsOf(await recall(turn, 'comet 99'))[0]).toBe('I heard of comet 99');

      neighbours.space = old;
      await memory.parts.reindexer.reindex();
      await eventually('the way back', async () => {
        const { space, indexed, memories } = await memory.messenger.ask(memoryContract.index, {});
        return space === before && indexed === memories;
      });
    });

    it('goes by the next space before all rows are marked, and has a run that was broken off there end', async () => {
      const { neighbours, stores } = memory;
      const turn = await say(['I heard of quasars', 'I heard of pulsars']);
      const before = neighbours.space;
      const next = { ...before, id: 'test-marked' };
      neighbours.nextSpace = next;
      const marks = async () => new Set((await rowsOf(turn.personId)).map((row) => row['indexed_in']));
      // Somebody holds a row, so that its mark has to wait.
      let letGo = () => {};
      const released = new Promise<void>((resolve) => (letGo = resolve));
      const holding = memory.parts.database.write({ personId: turn.personId }, async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM memories WHERE person_id = ${turn.personId}::uuid FOR UPDATE`;
        await released;
      });
      const run = memory.parts.reindexer.reindex();
      await eventually('the next space to be in use', async () => {
        const { space } = await memory.messenger.ask(memoryContract.index, {});
        return space === next.id;
      });
      expect(await marks()).toEqual(new Set([before.id]));
      expect(textsOf(await recall(turn, 'quasars'))[0]).toBe('I heard of quasars');
      // One that was remembered in the moment of the switch is in the former space alone.
      const late = { id: randomUUID(), text: 'I heard of magnetars', content_hash: 'magnetars' };
      await stores.query(
        `INSERT INTO memories SELECT (jsonb_populate_record(row, $1)).* FROM memories AS row WHERE person_id = $2 LIMIT 1`,
        [JSON.stringify(late), turn.personId],
      );
      letGo();
      await Promise.all([holding, run]);
      expect(await marks()).toEqual(new Set([next.id]));
      expect(neighbours.embedded).toContain('I heard of magnetars');

      // As a process leaves them that died before it marked them.
      await stores.query('UPDATE memories SET indexed_in = $1 WHERE person_id = $2', [
        before.id,
        turn.personId,
      ]);
      neighbours.embedded.length = 0;
      await memory.parts.reindexer.reindex();
      expect(await marks()).toEqual(new Set([next.id]));
      expect(neighbours.embedded).toEqual([]);
      neighbours.nextSpace = null;
      await memory.parts.reindexer.reindex();
    });

    it('fills a space anew that was used before, and that the settings left meanwhile', async () => {
      const { neighbours } = memory;
      const turn = await say('I heard of parallax');
      const before = neighbours.space.id;
      const next = { ...neighbours.space, id: 'test-again' };
      const reindexedWith = async (nextSpace: typeof next | null) => {
        neighbours.nextSpace = nextSpace;
        await memory.parts.reindexer.reindex();
        return memory.parts.embeddings.knownSpace?.id;
      };
      expect(await reindexedWith(next)).toBe(next.id);
      expect(await reindexedWith(null)).toBe(before);
      await say('I heard of perihelia', { personId: turn.personId });
      neighbours.nextSpace = next;
      expect(await memory.parts.embeddings.currentSpace()).toMatchObject({ id: before });
      expect(await reindexedWith(next)).toBe(next.id);
      const [first] = (await recall(turn, 'perihelia')).memories;
      expect(first).toMatchObject({ text: 'I heard of perihelia', why: { denseRank: 1 } });
      expect(await reindexedWith(null)).toBe(before);
    });

    it('keeps no old words of a line that was put right, or forgotten, while the next space was filled', async () => {
      const { neighbours, stores } = memory;
      const { personId } = await say(['I heard of novas', 'I heard of auroras']);
      const former = neighbours.space;
      neighbours.nextSpace = { ...former, id: 'test-put-right' };
      const during = async (texts: string[]) => {
        if (!texts.includes('I heard of auroras')) {
          neighbours.duringEmbedding = during;
          return;
        }
        const own = 'WHERE person_id = $1 AND text =';
        await stores.query(`UPDATE memories SET text = 'I heard of novae' ${own} 'I heard of novas'`, [
          personId,
        ]);
        await stores.query(`DELETE FROM memories ${own} 'I heard of auroras'`, [personId]);
      };
      neighbours.duringEmbedding = during;
      await memory.parts.reindexer.reindex();
      const [row] = await memory.parts.database.asSystem((tx) => tx.memory.findMany({ where: { personId } }));
      const point = { id: row!.id, terms: analyseText('I heard of novae'), digest: digestOf(row!) };
      const index = memory.parts.index;
      expect(await index.count('test-put-right', personId)).toBe(1);
      expect(await index.held('test-put-right', [point])).toEqual(new Set([point.id]));
      neighbours.nextSpace = null;
      await memory.parts.reindexer.reindex();
    });

    // What was marked before has its point since a move of spaces; an unmarked row of Postgres' own index has changed.
    it.each([
      { marked: null, when: 'as after a restore', adopts: memory.kind === 'qdrant' },
      { marked: 'former', when: 'as after a move of spaces', adopts: true },
    ])(
      'keeps points that have the words of their rows, $when, and writes the others',
      async ({ marked, adopts }) => {
        const turn = await say(['I like fish', 'I like soup', 'I like kale']);
        const { stores, neighbours } = memory;
        await stores.query('UPDATE memories SET indexed_in = $1', [marked]);
        await stores.query(
          `UPDATE memories SET text = 'I like bread', indexed_in = NULL WHERE person_id = $1 AND text LIKE '%soup'`,
          [turn.personId],
        );
        // The terms of it are the same.
        await stores.query(
          `UPDATE memories SET text = 'I do not like kale', indexed_in = NULL WHERE person_id = $1 AND text LIKE '%kale'`,
          [turn.personId],
        );
        neighbours.embedded.length = 0;
        await memory.parts.reindexer.reindex();
        expect(neighbours.embedded).toContain('I like bread');
        expect(neighbours.embedded).toContain('I do not like kale');
        expect(neighbours.embedded.includes('I like fish')).toBe(!adopts);
        const { indexed, memories } = await memory.messenger.ask(memoryContract.stats, {
          personId: turn.personId,
        });
        expect([indexed, memories]).toEqual([3, 3]);
        expect(textsOf(await recall(turn, 'bread'))[0]).toBe('I like bread');
      },
    );

    it('rebuilds a lost index, clears out what has no row, and moves to a new space', async () => {
      const turn = await say(['I like fish', 'I like soup']);
      const gone = await say('I like bread');
      await memory.stores.query('DELETE FROM memories WHERE person_id = $1', [gone.personId]);
      if (memory.qdrant) memory.qdrant.clear();
      else await memory.stores.query('DELETE FROM memory_vectors WHERE person_id = $1', [turn.personId]);

      await memory.parts.reindexer.reindex();
      expect([await pointsOf(turn.personId), await pointsOf(gone.personId)]).toEqual([2, 0]);
      expect((await recall(turn, 'fish')).memories[0]?.why).toMatchObject({ denseRank: 1 });

      const state = await memory.messenger.ask(memoryContract.index, {});
      expect(state).toMatchObject({ index: memory.kind, running: false, progress: null });
      expect([state.indexed, state.points]).toEqual([state.memories, state.memories]);

      memory.neighbours.space = { ...memory.neighbours.space, id: 'test-2' };
      expect(textsOf(await recall(turn, 'fish'))[0]).toBe('I like fish'); // by words, before it is there
      await memory.parts.upkeep.compare(new Date(Date.now() + 3_600_000));
      await eventually('the move', async () => {
        const stats = await memory.messenger.ask(memoryContract.stats, { personId: turn.personId });
        return stats.indexed === 2 && stats.space === 'test-2' && stats.index === memory.kind;
      });
      expect(await pointsOf(turn.personId)).toBe(memory.qdrant ? 2 : 4);
      expect((await recall(turn, 'fish')).memories[0]?.why).toMatchObject({ denseRank: 1 });
    });
  });
});

onEachIndex(
  'Qdrant in place of the index in Postgres',
  (memory) => {
    it('leaves nothing in Postgres of the index there, and no old words of the time before', async () => {
      const { stores, neighbours, parts, say } = memory;
      const { personId } = await say(['I like quince', 'I like sloe']);
      const own = 'WHERE person_id = $1 AND text =';
      // While the index in Postgres was in use, one was put right, and of another the row has gone since.
      await stores.query(`UPDATE memories SET text = 'I like cherry' ${own} 'I like sloe'`, [personId]);
      const rows = await parts.database.asSystem((tx) => tx.memory.findMany({ where: { personId } }));
      const pointsOf = rows.map((row) => ({ ...row, terms: analyseText(row.text), digest: digestOf(row) }));
      const vector = new Float32Array(neighbours.space.dimensions).fill(1);
      const gone = { ...pointsOf[0]!, id: randomUUID() };
      const former = new ExactIndex(parts.database);
      await former.upsert(
        neighbours.space,
        [...pointsOf, gone].map((point) => ({ ...point, vector })),
      );
      await parts.upkeep.compare(new Date());
      const held = async () => (await parts.index.held(neighbours.space.id, pointsOf)).size;
      await eventually('the new words in Qdrant', async () => (await held()) === 2);
      expect(await stores.query('SELECT 1 FROM memory_vectors')).toEqual([]);
      const ordered = jest.spyOn(parts.messenger, 'enqueue');
      await eventually('the end of it', async () => {
        ordered.mockClear();
        await parts.upkeep.compare(new Date());
        return ordered.mock.calls.length === 0;
      });
      ordered.mockRestore();
    });
  },
  ['qdrant'],
);
