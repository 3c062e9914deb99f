import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Speaker } from '../../conversations/conversations.js';
import { talk, model, faults, say, asked, spokenIn, outcomes, replies } from './open-turn-taker.js';

/** Tests what a message does to the turn that is under way. */
export function newerMessages(): void {
  describe('a newer message', () => {
    it('takes the turn over, at no cost of a try, whatever can’t be stored at that moment', async () => {
      const place = await talk.place();
      faults.now = { step: 'Object.withdraw', error: new Error('a bug') };
      model.next({ kind: 'hang' });
      await say(place, 'first');
      await asked(1);
      await talk.stores.query(`
        CREATE FUNCTION refuse_release() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.person_id = '${place.personId}' AND NEW.lease_until IS NULL AND NEW.outcome IS NULL THEN
            RAISE 'the disk is full' USING ERRCODE = 'disk_full';
          END IF;
          RETURN NEW;
        END $$`);
      await talk.stores.query(
        'CREATE TRIGGER refuse_release BEFORE UPDATE ON inbox FOR EACH ROW EXECUTE FUNCTION refuse_release()',
      );
      await say(place, 'second');
      await new Promise((resolve) => setTimeout(resolve, 300));
      faults.now = null;
      await talk.stores.query('DROP TRIGGER refuse_release ON inbox');
      expect(await outcomes(place, 2)).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
      const tries = await talk.rowsOf('inbox', 'attempts, overtaken', place);
      expect(tries).toEqual([
        { attempts: 1, overtaken: 1 },
        { attempts: 1, overtaken: 0 },
      ]);
    });

    it('of the same person takes the turn over: one answer, to both', async () => {
      const place = await talk.place();
      model.next({ kind: 'hang' });
      await say(place, 'first');
      await asked(1);
      await say(place, 'second');
      const ended = await outcomes(place, 2);
      expect(ended).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
      expect(new Set(ended.map((row) => row.turn_id)).size).toBe(1);
      expect(spokenIn(1)).toBe('first\nsecond');
      expect(await replies(place)).toHaveLength(1);
    });

    it('is seen at the commit when nobody told of it', async () => {
      const place = await talk.place();
      model.next({ kind: 'slow', firstByteMs: 400 });
      await say(place, 'first');
      await asked(1);
      // Straight into the inbox, as by a replica whose broadcast was lost.
      await talk.stores.query(
        `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at)
         VALUES ($1, $2, 'discord', 'unheard', 'second', now())`,
        [place.conversationId, place.personId],
      );
      const ended = await outcomes(place, 2);
      expect(new Set(ended.map((row) => row.turn_id)).size).toBe(1);
      expect(await replies(place)).toHaveLength(1);
    });

    it('does not put the answer off for ever', async () => {
      const place = await talk.place();
      for (let number = 1; number <= 2; number++) model.next({ kind: 'hang' });
      model.next({ kind: 'slow', firstByteMs: 500 });
      await say(place, 'one');
      await asked(1);
      await say(place, 'two');
      await asked(2);
      await say(place, 'three');
      await asked(3);
      expect(spokenIn(2)).toBe('one\ntwo\nthree');
      await say(place, 'four');
      // The third request is not given up, neither at once nor when its turn is committed.
      const turns = (await outcomes(place, 4)).map((row) => row.turn_id);
      expect(new Set(turns.slice(0, 3)).size).toBe(1);
      expect(turns[3]).not.toBe(turns[0]);
      expect(model.requests).toHaveLength(4);
      expect(spokenIn(3)).toBe('four');
      expect(await replies(place)).toHaveLength(2);
    });

    it('is a turn of its own where a caller waits for each reply', async () => {
      const place = await talk.place();
      model.next({ kind: 'slow', firstByteMs: 300 });
      await say(place, 'first', 'http');
      await eventually('the first request', () =>
        model.requests.some(({ messages }) => messages.at(-1)!.text === 'first'),
      );
      await say(place, 'second', 'http');
      const ended = await outcomes(place, 2);
      expect(new Set(ended.map((row) => row.turn_id)).size).toBe(2);
    });

    it('of someone else is answered beside the turn under way, and overtakes nothing', async () => {
      const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
      model.next({ kind: 'hang' });
      await say(ann, 'first');
      await asked(1);
      await say(ben, 'between');
      const beside = await outcomes(ben, 1);
      expect(model.requests).toHaveLength(2);
      await say(ann, 'last');
      const ended = await outcomes(ann, 3);
      expect(spokenIn(2)).toBe('Ann: first\nAnn: last');
      const [first, between, last] = ended.map((row) => row.turn_id);
      expect(between).toBe(beside[0]!.turn_id);
      expect(first).toBe(last);
      expect(first).not.toBe(between);
    });
  });
}
