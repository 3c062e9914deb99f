import { describe, expect, it } from '@jest/globals';
import { reviseMessage } from '../../inbox/revise-message.js';
import { talk, model, inbox, say, asked, spokenIn, outcomes, replies } from './open-turn-taker.js';

/** Tests what an edit, a deletion and a wish to stop do to a turn. */
export function changedMessages(): void {
  describe('an edit before the answer', () => {
    it('is what is answered', async () => {
      const place = await talk.place();
      model.next({ kind: 'hang' });
      const id = await say(place, 'I like rain');
      await asked(1);
      expect(await inbox.revise({ door: 'discord', messageId: id, text: 'I like sun', at: new Date() })).toBe(
        true,
      );
      await outcomes(place, 1);
      expect(spokenIn(1)).toBe('I like sun');
      expect(JSON.stringify(await talk.stores.query('SELECT text FROM transcript'))).not.toContain(
        'I like rain',
      );
    });

    it('is seen at the commit when nobody told of it', async () => {
      const place = await talk.place();
      model.next({ kind: 'slow', firstByteMs: 400 });
      const id = await say(place, 'before');
      await asked(1);
      await reviseMessage(talk.database, { door: 'discord', messageId: id, text: 'after', at: new Date() });
      await outcomes(place, 1);
      expect(spokenIn(1)).toBe('after');
      expect(await replies(place)).toHaveLength(1);
    });

    it('comes too late for it after it, and still takes the words out of what is told', async () => {
      const place = await talk.place();
      const at = new Date();
      model.next({ kind: 'reply', reply: 'Cilantro it is.' });
      const id = await say(place, 'I love cilantro');
      await outcomes(place, 1);
      const lines = () => talk.rowsOf('transcript', 'text, withheld', place);
      expect(await inbox.revise({ door: 'discord', messageId: id, text: 'I love basil', at })).toBe(true);
      expect(await lines()).toEqual([
        { text: 'I love basil', withheld: null },
        { text: '', withheld: 'edited' },
      ]);
      expect(await inbox.revise({ door: 'discord', messageId: id, text: null, at })).toBe(true);
      expect(await lines()).toEqual([
        { text: '', withheld: 'deleted' },
        { text: '', withheld: 'deleted' },
      ]);
      await say(place, 'what do I love?');
      await outcomes(place, 2);
      expect(JSON.stringify(model.requests.at(-1))).not.toMatch(/cilantro|basil/i);
      expect(await inbox.revise({ door: 'discord', messageId: 'unknown', text: null, at })).toBe(false);
    });
  });

  describe('a deletion before the answer', () => {
    it('of one message leaves the others to be answered, and keeps nothing of it', async () => {
      const place = await talk.place();
      model.next({ kind: 'hang' });
      await say(place, 'keep this');
      await asked(1);
      model.next({ kind: 'hang' });
      const id = await say(place, 'my secret');
      await asked(2);
      await inbox.revise({ door: 'discord', messageId: id, text: null, at: new Date() });
      expect(await outcomes(place, 2)).toMatchObject([
        { outcome: 'answered' },
        { outcome: 'dropped', outcome_reason: 'deleted' },
      ]);
      expect(spokenIn(2)).toBe('keep this');
      const kept = await talk.stores.query(`SELECT text FROM inbox UNION ALL SELECT text FROM transcript`);
      expect(JSON.stringify(kept)).not.toContain('my secret');
    });

    it('of all of them ends the turn without an answer', async () => {
      const place = await talk.place();
      model.next({ kind: 'hang' });
      const id = await say(place, 'never mind');
      await asked(1);
      await inbox.revise({ door: 'discord', messageId: id, text: null, at: new Date() });
      expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'dropped', outcome_reason: 'deleted' }]);
      expect(await replies(place)).toEqual([]);
    });
  });

  describe('a wish to stop', () => {
    it('ends the turn under way in silence, and what is said afterwards is answered', async () => {
      const place = await talk.place();
      model.next({ kind: 'hang' });
      await say(place, 'tell me everything');
      await asked(1);
      expect(await inbox.stop({ ...place, at: new Date() })).toBe(1);
      expect(await outcomes(place, 1)).toMatchObject([{ outcome: 'silent', outcome_reason: 'stopped' }]);
      await say(place, 'hello again');
      expect((await outcomes(place, 2))[1]).toMatchObject({ outcome: 'answered' });
      expect(await replies(place)).toHaveLength(1);
    });

    it('finds nothing to stop where all is answered', async () => {
      const place = await talk.place();
      expect(await inbox.stop({ ...place, at: new Date() })).toBe(0);
    });
  });
}
