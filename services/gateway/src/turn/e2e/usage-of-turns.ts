import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@kith/contracts';
import type { Speaker } from '../../conversations/conversations.js';
import { talk, model, spend, usage, limits, say, asked, outcomes } from './open-turn-taker.js';

/** Tests what is counted as spent, and for whom. */
export function usageOfTurns(): void {
  /** Usage of a person as another service reports it. */
  function reportedOf(personId: string) {
    return {
      id: randomUUID(),
      role: 'fast' as const,
      model: 'host:small',
      personId,
      companionId: null,
      conversationId: null,
      turnId: null,
      calls: 3,
      promptTokens: 30,
      completionTokens: 3,
      isEstimated: false,
      cost: 0.01,
    };
  }

  describe('what a turn has cost', () => {
    const spentOn = ({ personId }: Speaker) =>
      talk.stores.query<{ turn: boolean; calls: number; estimated: boolean }>(
        `SELECT turn_id IS NOT NULL AS turn, sum(calls)::int AS calls, bool_or(is_estimated) AS estimated
         FROM usage WHERE person_id = $1 AND prompt_tokens > 0 GROUP BY 1`,
        [personId],
      );

    it('is kept with it, and so are calls that nobody waited for any more', async () => {
      const where = await talk.place();
      model.next({ kind: 'hang' });
      await say(where, 'first');
      await asked(1);
      await say(where, 'no, second');
      await outcomes(where, 2);
      await usage.book.drain();
      expect(await spentOn(where)).toEqual([{ turn: true, calls: 2, estimated: true }]);
    });

    it('is counted once, whoever reports it and however often', async () => {
      const where = await talk.place();
      const { personId } = where;
      const row = reportedOf(personId);
      await usage.hear([row]);
      await usage.hear([row]);
      for (const [limit, decision] of [
        [33, 'person-budget'],
        [34, 'proceed'],
        [0, 'proceed'],
      ] as const) {
        limits.perPersonAndDay = limit;
        expect(spend.decide(personId)).toBe(decision);
      }
      expect(await spentOn(where)).toEqual([{ turn: false, calls: 3, estimated: false }]);
      const unpriced = ['host:listed', 'host:unlisted'].map((model) => {
        return { ...row, id: randomUUID(), model, cost: null };
      });
      await usage.hear([...unpriced, { ...unpriced[0]!, id: randomUUID(), role: 'embedding' }]);
      expect(
        await talk.stores.query('SELECT cost FROM usage WHERE person_id = $1 ORDER BY cost, role', [
          personId,
        ]),
      ).toEqual([{ cost: 0.01 }, { cost: 0.036 }, { cost: null }, { cost: null }]);
    });
  });

  describe('usage that a service left when it stopped', () => {
    it('is counted for the day of its count, once, and is not spent of today', async () => {
      const { personId } = await talk.place();
      const row = reportedOf(personId);
      const today = new Date();
      const before = new Date(today.getTime() - DAY_MS);
      const ofToday = { ...row, id: randomUUID(), promptTokens: 10, completionTokens: 1 };
      for (let time = 0; time < 2; time += 1) {
        await usage.hear([row], before.toISOString());
        await usage.hear([ofToday], today.toISOString());
      }
      limits.perPersonAndDay = 12;
      expect(spend.decide(personId)).toBe('proceed');
      limits.perPersonAndDay = 11;
      expect(spend.decide(personId)).toBe('person-budget');
      limits.perPersonAndDay = 0;
      expect(
        await talk.stores.query(
          'SELECT prompt_tokens AS prompt, at FROM usage WHERE person_id = $1 ORDER BY at',
          [personId],
        ),
      ).toEqual([
        { prompt: 30, at: before },
        { prompt: 10, at: expect.any(Date) },
      ]);
    });
  });
}
