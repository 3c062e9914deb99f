import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryContract, type ReadTurn } from '@kith/contracts';
import { LEXICAL_SPACE } from '@kith/lexical-embedding';
import { eventually } from '@kith/testing';
import { startMemory, type MemorySuite } from '../e2e/memory-suite.js';
import { lockPerson } from '../rows/memory-row.js';

/** Everything is in Postgres: the index is exact, and the offline embedder makes the vectors. */
describe('turns remembered together, with nothing outside of Postgres', () => {
  let suite: MemorySuite;

  beforeAll(async () => {
    suite = await startMemory(undefined, {}, LEXICAL_SPACE);
    await suite.parts.embeddings.currentSpace();
  });
  afterAll(() => suite.stop());

  const remember = (turns: ReadTurn[]) => suite.parts.remembering.remember(turns.map(({ turnId }) => turnId));
  const recall = async (personId: string, query: string) => {
    const request = {
      personId,
      companionId: 'wren',
      audience: 'direct',
      query,
      now: new Date().toISOString(),
    };
    const { memories, degraded } = await suite.messenger.ask(memoryContract.recall, request);
    return { texts: memories.map(({ text }) => text), degraded };
  };

  it('are one transaction for all of them: rows, points and ledger', async () => {
    const ann = suite.turn('My sister Ida plays the violin');
    const ben = suite.turn(['I moved to Lyon', 'My bike is red']);
    await remember([ann, ben]);
    const writers = await suite.stores.query(`
      SELECT xmin::text FROM memories UNION SELECT xmin::text FROM memory_vectors
      UNION SELECT xmin::text FROM memory_handled_turns`);
    expect(writers).toHaveLength(1);
    expect(await recall(ann.personId, 'violin')).toEqual({
      texts: ['My sister Ida plays the violin'],
      degraded: [],
    });
    expect((await recall(ben.personId, 'which colour has my bike?')).texts).toContain('My bike is red');
    expect((await recall(ben.personId, 'violin')).texts).not.toContain('My sister Ida plays the violin');
    const unindexed = await suite.stores.query('SELECT 1 FROM memories WHERE indexed_in IS NULL');
    expect(unindexed).toEqual([]);
  });

  it('are found at once by who searched before, and nothing is stored twice', async () => {
    const first = suite.turn('I keep bees');
    const { personId } = first;
    await remember([first]);
    await recall(personId, 'bees');
    const second = suite.turn(['The hive is blue', 'I keep bees'], { personId });
    await remember([second, first]);
    await remember([second]);
    expect((await recall(personId, 'which colour has the hive?')).texts).toContain('The hive is blue');
    const rows = await suite.stores.query('SELECT 1 FROM memories WHERE person_id = $1', [personId]);
    const points = await suite.stores.query('SELECT 1 FROM memory_vectors WHERE person_id = $1', [personId]);
    expect([rows.length, points.length]).toEqual([2, 2]);
  });

  it('are kept but for those of somebody who was erased', async () => {
    const gone = randomUUID();
    await suite.stores.query(`INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'test')`, [gone]);
    const [lost, kept] = [suite.turn('I am gone', { personId: gone }), suite.turn('I am here')];
    await expect(remember([lost, kept])).rejects.toThrow();
    const rows = await suite.stores.query('SELECT text FROM memories WHERE person_id = ANY ($1::uuid[])', [
      [gone, kept.personId],
    ]);
    expect(rows).toEqual([{ text: 'I am here' }]);
  });

  it('do not wait for those of somebody whose rows stay locked, which follow', async () => {
    // In this order they are locked, and then remembered one by one.
    const [ann, ben] = [randomUUID(), randomUUID()].toSorted();
    const free = suite.turn('My kettle is blue', { personId: ann! });
    const held = suite.turn('My lamp is green', { personId: ben! });
    const remembered = await suite.parts.database.write('system', async (tx) => {
      await lockPerson(tx, held.personId);
      const both = remember([held, free]);
      await eventually(
        'the other is remembered',
        async () =>
          (await tx.$queryRaw<unknown[]>`SELECT 1 FROM memories WHERE person_id = ${free.personId}::uuid`)[0],
      );
      return { both };
    });
    await remembered.both;
    expect((await recall(held.personId, 'lamp')).texts).toEqual(['My lamp is green']);
  });
});
