import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { talk, model, states, spend, limits, say, outcomes } from './open-turn-taker.js';

/** Tests turns without Redis, without a model, and without tokens that are left. */
export function degradedTurns(): void {
  describe('without Redis', () => {
    it('a message is answered here, and says what it lacked', async () => {
      const place = await talk.place();
      await say(place, 'hello');
      expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'answered' }]);
      const [turn] = await talk.rowsOf('turns', 'degraded', place);
      expect(turn).toEqual({ degraded: ['personality', 'memory'] });
    });
  });

  describe('without a model', () => {
    it('it is found out by itself that there is one again', async () => {
      const place = await talk.place();
      model.always({ kind: 'status', status: 500 });
      await say(place, 'hello');
      expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'apologised' }]);
      expect(states.list()).toMatchObject([
        { part: 'chat-model', effect: expect.stringContaining('apologies') },
      ]);
      model.reset();
      await eventually('the probe', () => states.list().length === 0);
      await say(place, 'hello again');
      expect(await outcomes(place, 2)).toMatchObject([{ outcome: 'apologised' }, { outcome: 'answered' }]);
    });

    it('people get the apology, the operator is told, and it is over with the next answer', async () => {
      const place = await talk.place();
      model.always({ kind: 'spend-limit' });
      await say(place, 'hello');
      expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'apologised' }]);
      expect(states.list()).toMatchObject([{ part: 'chat-model' }]);
    });

    it('the next one is not asked again at once, and is when its time is over', async () => {
      const place = await talk.place();
      const before = model.requests.length;
      await say(place, 'hello?');
      expect(await outcomes(place, 1)).toMatchObject([
        { outcome: 'apologised', outcome_reason: expect.stringContaining('circuit-open') },
      ]);
      expect(model.requests).toHaveLength(before);
    });
  });

  describe('when the day’s tokens are spent', () => {
    it('people are told so without a model, until the day is over', async () => {
      const place = await talk.place();
      limits.perDay = 1;
      spend.add(place.personId, 5);
      await say(place, 'hello');
      expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'apologised', outcome_reason: 'budget' }]);
      expect(states.list().map(({ part }) => part)).toContain('spend');
      limits.perDay = 0;
    });
  });
}
