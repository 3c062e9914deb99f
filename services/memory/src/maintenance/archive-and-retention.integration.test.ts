import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { Database } from '@kith/database';
import { pino } from 'pino';
import { INDEX } from '../app.module.js';
import { onEachIndex } from '../e2e/on-each-index.js';
import { Forgetter } from '../forget/forgetter.js';
import type { VectorIndex } from '../index/vector-index.js';
import { Archiver } from './archiver.js';
import { removeExpired, type RetentionDays } from './retention.js';

const silent = pino({ level: 'silent' });

onEachIndex('what has had its time', (memory) => {
  const { say, recall, textsOf, rowsOf, pointsOf } = memory;

  describe('keeping', () => {
    const aYearLater = new Date('2027-05-03T00:00:00Z');
    const parts = () =>
      [memory.get(Database), memory.get<VectorIndex>(INDEX), memory.get(Forgetter)] as const;
    const archive = () => {
      const [database, index] = parts();
      return new Archiver({ database, index, logger: silent }, 365).archive(aYearLater);
    };
    const retain = (days: RetentionDays) => {
      const [database, , forgetting] = parts();
      return removeExpired({ database, forgetting, logger: silent }, days, aYearLater);
    };

    it('archives small talk that was never of use, where a search can still look', async () => {
      const turn = await say(['It rains on the roof', 'My sister Ida got married to a pilot']);
      await archive();
      const shelves = (await rowsOf(turn.personId)).map(({ text, shelf }) => [text, shelf]);
      expect(shelves.sort()).toEqual([
        ['It rains on the roof', 'archive'],
        ['My sister Ida got married to a pilot', 'open'],
      ]);
      expect(await pointsOf(turn.personId)).toBe(1);
      expect(textsOf(await recall(turn, 'rain on the roof'))).not.toContain('It rains on the roof');
      expect(textsOf(await recall(turn, 'rain on the roof', { fromArchive: true }))).toContain(
        'It rains on the roof',
      );
    });

    it('opens what is said again', async () => {
      const turn = await say('It rains on the roof');
      await archive();
      await say('It rains on the roof', { personId: turn.personId });
      expect((await rowsOf(turn.personId)).map(({ shelf }) => shelf)).toEqual(['open']);
      expect(await pointsOf(turn.personId)).toBe(1);
    });

    it('removes what the operator does not want kept for longer, unless its owner pinned it', async () => {
      // No facts: a line that is pinned is read for them at once, and they stay.
      const turn = await say(['The kettle sings', 'It rains on the roof']);
      const [rain] = (await rowsOf(turn.personId)).filter(({ text }) => text === 'It rains on the roof');
      const pin = { personId: turn.personId, id: rain!['id'] as string, change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await retain({ episode: 300 });
      expect((await rowsOf(turn.personId)).map(({ text }) => text)).toEqual(['It rains on the roof']);
      expect(await pointsOf(turn.personId)).toBe(1);
    });
  });
});
