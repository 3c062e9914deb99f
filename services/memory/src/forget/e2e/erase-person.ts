import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import type { Orders } from './orders.js';

/** Tests that nothing is left of a person who is erased. */
export function erasePerson(orders: Orders): void {
  const { say, rowsOf, pointsOf } = orders.memory;
  const { ask } = orders;

  describe('erasing', () => {
    const erase = (personId: string, preview: boolean) => ask(memoryContract.erase, { personId, preview });

    it('counts what there is, removes rows and points, and leaves another person alone', async () => {
      const gone = await say(['I like fish', 'I like soup']);
      const other = await say('I like bread');
      expect((await erase(gone.personId, true)).holdings).toMatchObject({ memories: 2 });
      expect(await rowsOf(gone.personId)).toHaveLength(2);
      const { holdings } = await erase(gone.personId, false);
      expect(Object.values(holdings).every((count) => count === 0)).toBe(true);
      expect([await rowsOf(gone.personId), await pointsOf(gone.personId)]).toEqual([[], 0]);
      expect([await rowsOf(other.personId), await pointsOf(other.personId)]).toMatchObject([
        { length: 1 },
        1,
      ]);
    });
  });
}
