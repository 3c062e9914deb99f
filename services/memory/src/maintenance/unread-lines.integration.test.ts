import { describe, expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { eventually } from '@kith/testing';
import { onEachIndex } from '../e2e/on-each-index.js';
import { UnreadLines } from './unread-lines.js';

onEachIndex('lines whose reading was never ordered', (memory) => {
  const { say, rowsOf } = memory;
  const linesOf = async (personId: string) =>
    (await rowsOf(personId)).filter(({ kind }) => kind === 'episode');
  const isRead = async (personId: string) =>
    (await linesOf(personId)).every((row) => row['read_at'] !== null);

  describe('upkeep', () => {
    it('has them read once two looks have found them', async () => {
      const [ann, bea] = [await say('I live in Berlin.'), await say('I live in Oslo.')];
      const unread = new UnreadLines({ database: memory.get(Database), messenger: memory.get(Messenger) });
      await unread.look(new Date());
      expect(await isRead(ann.personId)).toBe(false);
      await unread.look(new Date());
      for (const { personId } of [ann, bea])
        await eventually('the facts', async () => (await rowsOf(personId)).length === 2 && isRead(personId));
    });
  });
});
