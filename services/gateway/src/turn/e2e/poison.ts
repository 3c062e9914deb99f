import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@kith/contracts';
import type { Speaker } from '../../conversations/conversations.js';
import {
  talk,
  model,
  inbox,
  takeTurn,
  begun,
  noTools,
  faults,
  say,
  asked,
  outcomes,
  replies,
} from './open-turn-taker.js';

/** Tests messages that can not be answered, and turns that another worker has by now. */
export function poison(): void {
  describe('a message that can’t be answered', () => {
    const APOLOGY = expect.stringContaining('sorry');

    /** Works on it as the sweeper does, until it has an outcome. Returns how often it was tried. */
    async function tryUntilEnded(where: Speaker): Promise<number> {
      for (let tries = 1; tries <= 10; tries += 1) {
        await takeTurn.run(where).catch(() => undefined);
        await Promise.allSettled(begun);
        const [open] = await talk.stores.query(
          'SELECT 1 FROM inbox WHERE conversation_id = $1 AND outcome IS NULL LIMIT 1',
          [where.conversationId],
        );
        if (!open) return tries;
      }
      throw new Error('it is tried for ever');
    }

    it.each([
      ['Standings.look', new Error('a bug')],
      ['Standings.look', new AppError('unavailable', 'this query never ends')],
      ['SpendMeter.decide', new RangeError('Maximum call stack size exceeded')],
      ['TurnEvents.publish', new AppError('invalid_request', 'no such time')],
    ])('is apologised for after three tries, when %s fails with %p', async (step, error) => {
      const where = await talk.place();
      faults.now = { step, error };
      try {
        await say(where, 'boom');
        expect(await tryUntilEnded(where)).toBeLessThanOrEqual(4);
      } finally {
        faults.now = null;
      }
      expect(await outcomes(where, 1)).toMatchObject([{ outcome: 'apologised', outcome_reason: 'poison' }]);
      expect(await replies(where)).toEqual([APOLOGY]);
      await say(where, 'and now?');
      expect(await outcomes(where, 2)).toMatchObject([{}, { outcome: 'answered' }]);
    });

    it.each([
      ['transcript', 'apologised'],
      ['outbox', 'dropped'],
      ['turns', 'dropped'],
    ])('ends when it can’t be written to %s, and the next one is answered', async (table, outcome) => {
      const where = await talk.place();
      const function_ = `refuse_${table}`;
      const isIt = table === 'transcript' ? `NEW.text = 'boom'` : 'true';
      await talk.stores.query(`
        CREATE FUNCTION ${function_}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.person_id = '${where.personId}' AND ${isIt} THEN RAISE 'refused'; END IF;
          RETURN NEW;
        END $$`);
      await talk.stores.query(
        `CREATE TRIGGER ${function_} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${function_}()`,
      );
      try {
        await say(where, 'boom');
        expect(await tryUntilEnded(where)).toBeLessThanOrEqual(4);
      } finally {
        await talk.stores.query(`DROP TRIGGER ${function_} ON ${table}`);
      }
      expect(await outcomes(where, 1)).toMatchObject([{ outcome, outcome_reason: 'poison' }]);
      await say(where, 'and now?');
      expect(await outcomes(where, 2)).toMatchObject([{}, { outcome: 'answered' }]);
    });

    it('costs no try while the store is away', async () => {
      const where = await talk.place();
      const ping = jest.spyOn(talk.database, 'ping').mockRejectedValue(new Error('away'));
      faults.now = { step: 'Standings.look', error: new AppError('unavailable', 'Postgres is away') };
      try {
        await say(where, 'hello');
        await Promise.allSettled(begun);
        for (let tries = 0; tries < 3; tries += 1) await expect(takeTurn.run(where)).rejects.toThrow('away');
      } finally {
        faults.now = null;
        ping.mockRestore();
      }
      expect(await talk.rowsOf('inbox', 'attempts, outcome', where)).toEqual([
        { attempts: 0, outcome: null },
      ]);
      await takeTurn.run(where);
      expect(await outcomes(where, 1)).toMatchObject([{ outcome: 'answered' }]);
    });

    it('is on its last try alone: what was under way beside it is answered after all', async () => {
      const [deadly, harmless] = await Promise.all([talk.place(), talk.place()]);
      const triedTwice = (where: Speaker) =>
        talk.stores.query(
          `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, target, sent_at, attempts)
           VALUES ($1, $2, 'discord', $3, 'boom', '{"userId": "1", "channelId": "2"}', now(), 2)`,
          [where.conversationId, where.personId, randomUUID()],
        );
      await Promise.all([triedTwice(deadly), triedTwice(harmless)]);
      model.next({ kind: 'hang' });
      const first = takeTurn.run(deadly);
      await asked(1);
      await takeTurn.run(harmless);
      const left = await talk.rowsOf('inbox', 'attempts, outcome, lease_until', harmless);
      expect(left).toEqual([{ attempts: 2, outcome: null, lease_until: null }]);
      await inbox.stop({ ...deadly, at: new Date() });
      await first;
      await takeTurn.run(harmless);
      expect(await outcomes(harmless, 1)).toMatchObject([{ outcome: 'answered' }]);
    });

    it('and that nobody knows whom to answer is dropped, and keeps nothing after it waiting', async () => {
      const where = await talk.place();
      await talk.stores.query(
        `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, target, sent_at)
         VALUES ($1, $2, 'pigeon', 'odd', 'boom', '{"loft": 1}', now())`,
        [where.conversationId, where.personId],
      );
      await say(where, 'and now?');
      expect(await outcomes(where, 2)).toMatchObject([
        { outcome: 'dropped', outcome_reason: 'unreadable' },
        { outcome: 'answered' },
      ]);
    });
  });

  describe('a turn whose lease another worker has by now', () => {
    it('ends in silence, and leaves that worker its turn, its questions and all its tries', async () => {
      const where = await talk.place();
      const withdraw = jest.spyOn(noTools, 'withdraw');
      model.next({ kind: 'slow', firstByteMs: 400 });
      await say(where, 'hello');
      await asked(1);
      await talk.stores.query(
        `UPDATE inbox SET lease_token = lease_token + 1, attempts = attempts + 1 WHERE conversation_id = $1`,
        [where.conversationId],
      );
      await Promise.allSettled(begun);
      const left = await talk.rowsOf('inbox', 'attempts, outcome, lease_until > now() AS held', where);
      expect(left).toEqual([{ attempts: 1, outcome: null, held: true }]);
      expect(withdraw).not.toHaveBeenCalled();
      expect(await replies(where)).toEqual([]);
      withdraw.mockRestore();
    });
  });
}
