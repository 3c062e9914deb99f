import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { days, ids, inAMinute, sources, type Orders } from './orders.js';

/** Tests which lines, facts and notes go with what is named. */
export function chooseRemoved(orders: Orders): void {
  const { remember, say, sayOn, rowsOf, extract } = orders.memory;
  const { ask, forget, forgetOfWren, undo, keepNote, wordsOf } = orders;

  describe('what goes with it', () => {
    it('takes the lines that tell a fact which is forgotten by its id, unless their talk is kept, and gives them back', async () => {
      const turn = await say(['I live in Paris with a cat', 'I like soup']);
      const { personId } = turn;
      await extract(personId);
      const fact = (await rowsOf(personId)).find(({ text }) => String(text).includes('lives in Paris'));
      const what = ids(fact!['id']);
      const lines = async () =>
        (await rowsOf(personId)).filter(({ kind }) => kind === 'episode').map(({ text }) => text);
      const forgetting = { orderId: randomUUID(), undoUntil: inAMinute(), keepTalk: false };
      const source = `${turn.turnId}-0`;
      expect(await forget(personId, what, forgetting)).toMatchObject({ sources: [source] });
      expect(await lines()).toEqual(['I like soup']);
      await undo(personId, forgetting.orderId);
      expect((await lines()).toSorted()).toEqual(['I like soup', 'I live in Paris with a cat']);
      const kept = { orderId: randomUUID(), undoUntil: inAMinute(), keepTalk: true };
      expect(await forget(personId, what, kept)).toMatchObject({ rows: 1 });
      expect((await lines()).toSorted()).toEqual(['I like soup', 'I live in Paris with a cat']);
      await undo(personId, kept.orderId);
    });

    it('takes of a line that was said again only what tells the fact, and has the rest remembered again', async () => {
      const turn = await say('I live in Paris with a cat');
      const { personId } = turn;
      await extract(personId);
      const again = await say('I live in Paris with a cat', { personId });
      const fact = (await rowsOf(personId)).find(({ kind }) => kind === 'fact');
      const [what, orderId] = [ids(fact!['id']), randomUUID()];
      const [told, others] = [[`${turn.turnId}-0`], [`${again.turnId}-0`]];
      const preview = await forget(personId, what, { orderId, preview: true });
      expect(preview).toMatchObject({ rows: 2, sources: told });
      expect(preview.memories.map(({ kind }) => kind).toSorted()).toEqual(['episode', 'fact']);
      for (const _ of ['at first', 'once more'])
        expect(await forget(personId, what, { orderId })).toMatchObject({ rows: 2, sources: told, others });
      expect(await rowsOf(personId)).toEqual([]);
      await ask(memoryContract.reread, { personId, turnIds: [turn.turnId, again.turnId] });
      await remember(turn);
      await remember(again);
      expect((await rowsOf(personId)).map(({ sources }) => sources)).toEqual([others]);
    });

    it('takes of a note no more than the note, though it names all that it may repeat', async () => {
      const old = await say('My sister Ida lives in Reykjavik');
      const { personId } = old;
      await extract(personId);
      const before = await rowsOf(personId);
      await keepNote(personId, {
        text: 'Her sister lives in Reykjavik.',
        saidAt: '2026-01-01T10:00:00Z',
        sources: [`${old.turnId}-0`, 'm-now'],
      });
      expect(await rowsOf(personId)).toHaveLength(before.length + 1);
      const done = await forgetOfWren(personId, days('2026-01-01', '2026-01-02'));
      expect(done).toMatchObject({ rows: 1, sources: [] });
      expect((await rowsOf(personId)).map(({ id }) => id).toSorted()).toEqual(
        before.map(({ id }) => id).toSorted(),
      );
    });

    it('takes the archive notes that were made of it, which name more messages than those to be forgotten', async () => {
      const { personId, turnId } = await say(['My sister Ida has a limp', 'I bake bread']);
      const words = { saidAt: '2026-01-01T10:00:00Z', speaker: 'Wren' };
      const records = [
        { ...words, text: 'Ida walks badly since.', note: true, sources: [`${turnId}-0`, 'm-now'] },
        { ...words, text: 'She bakes.', note: true, sources: [`${turnId}-1`] },
        // A line that they brought along themselves stays as it is.
        { ...words, text: 'Ida called from Oslo.', sources: [`${turnId}-0`] },
      ];
      await ask(memoryContract.import, { personId, companionId: 'wren', records });
      const line = (await rowsOf(personId)).find(({ text }) => text === 'My sister Ida has a limp');
      const done = await forgetOfWren(personId, ids(line!['id']));
      expect(done).toMatchObject({ rows: 2, sources: [`${turnId}-0`] });
      expect(await wordsOf(personId)).toEqual(['I bake bread', 'Ida called from Oslo.', 'She bakes.']);
    });

    it('takes a fact of a channel that was ended elsewhere, with the end', async () => {
      const audience = 'channel:discord:kept' as const;
      const { personId } = await say('I live in Rome.', { audience });
      await extract(personId);
      await sayOn('2026-06-01', "I don't live in Rome any more.", { personId });
      await extract(personId);
      expect((await rowsOf(personId)).filter(({ kind }) => kind === 'fact')).toHaveLength(2);
      const line = (await rowsOf(personId)).find(({ text }) => text === 'I live in Rome.');
      await forgetOfWren(personId, ids(line!['id']));
      await extract(personId);
      expect(await wordsOf(personId)).toEqual(["I don't live in Rome any more."]);
    });

    it.each(['sources', 'period'] as const)(
      'leaves a fact to the channel that told it where its end elsewhere is forgotten, by %s',
      async (kind) => {
        const told = await sayOn('2026-05-01', 'I live in Rome.', { audience: 'channel:discord:told' });
        const { personId } = told;
        await extract(personId);
        const dm = await sayOn('2026-06-01', "I don't live in Rome any more.", { personId });
        await extract(personId);
        const what = kind === 'sources' ? sources(`${dm.turnId}-0`) : days('2026-06-01', '2026-06-02');
        expect(await forgetOfWren(personId, what)).toMatchObject({ sources: [`${dm.turnId}-0`] });
        await extract(personId);
        expect(await wordsOf(personId)).toEqual(['Ann lives in Rome (since 1 May 2026)', 'I live in Rome.']);
      },
    );
  });
}
