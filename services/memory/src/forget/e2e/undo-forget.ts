import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, present } from '@kith/contracts';
import { EVERYTHING, ids, place, sources, type Orders } from './orders.js';

/** Tests that an undo gives back what its order took. */
export function undoForget(orders: Orders): void {
  const { say, sayOn, recall, textsOf, rowsOf, pointsOf, extract } = orders.memory;
  const { memory, ask, order, undo, note, addTask, coreOf, wordsOf, sayTheyMoved } = orders;

  describe('undoing', () => {
    it('gives back what it took while that can be undone, and nothing reads it meanwhile', async () => {
      const turn = await say(['I live in Paris', 'I like soup']);
      const { personId } = turn;
      await extract(personId);
      const before = await rowsOf(personId);
      const orderId = await order(personId, EVERYTHING);
      expect(await rowsOf(personId)).toEqual([]);
      expect(textsOf(await recall(turn, 'Paris soup'))).toEqual([]);
      await undo(personId, orderId);
      const plain = (rows: Record<string, unknown>[]) =>
        rows
          .map(({ id, text, sources }) => ({ id, text, sources }))
          .toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
      expect(plain(await rowsOf(personId))).toEqual(plain(before));
      expect(textsOf(await recall(turn, 'soup'))).toContain('I like soup');
    });

    it('names the turns that were not remembered yet when they were forgotten, and are to be now', async () => {
      const { turnId: known, personId } = await say('I like soup');
      const unread = randomUUID();
      const orderId = await order(personId, sources(`${known}-0`, `${unread}-0`));
      const undone = () => undo(personId, orderId, [known, unread]);
      expect(await undone()).toEqual({ rows: 1, unread: [unread] });
      // Again where the answer was lost.
      expect(await undone()).toMatchObject({ unread: [unread] });
    });

    it('gives back nothing once its time is over, and keeps no words of it', async () => {
      const { personId } = await say('I like fish');
      const undoUntil = new Date(Date.now() - 1).toISOString();
      const orderId = await order(personId, EVERYTHING, { undoUntil });
      expect(await undo(personId, orderId)).toEqual({ rows: 0, unread: [] });
      expect(await rowsOf(personId)).toEqual([]);
      const sealed = 'SELECT 1 FROM memory_sealed_rows WHERE person_id = $1';
      expect(await memory.stores.query(sealed, [personId])).toEqual([]);
    });

    describe('undoing several orders, the first one first', () => {
      it('brings back each one’s notes, whichever comes next', async () => {
        const personId = randomUUID();
        for (const n of ['one', 'two', 'three', 'kept']) await note(personId, `Note ${n}.`, n);
        const first = await order(personId, sources('one'));
        const second = await order(personId, sources('two'));
        const third = await order(personId, sources('three'));
        expect(await coreOf(personId)).toEqual(['Note kept.']);
        await undo(personId, first);
        expect(await coreOf(personId)).toEqual(['Note one.\nNote kept.']);
        await undo(personId, third);
        expect(await coreOf(personId)).toEqual(['Note one.\nNote three.\nNote kept.']);
        await undo(personId, second);
        expect(await coreOf(personId)).toEqual(['Note one.\nNote two.\nNote three.\nNote kept.']);
      });

      it('brings back notes beside an order that took none, and one of everything', async () => {
        const personId = randomUUID();
        for (const n of ['one', 'kept']) await note(personId, `Note ${n}.`, n);
        const first = await order(personId, sources('one'));
        const empty = await order(personId, ids(randomUUID()));
        const all = await order(personId, EVERYTHING);
        await undo(personId, first);
        expect(await coreOf(personId)).toEqual([]);
        await undo(personId, empty);
        expect(await coreOf(personId)).toEqual([]);
        await undo(personId, all);
        expect(await coreOf(personId)).toEqual(['Note one.\nNote kept.']);
      });

      it('leaves alone a block that was edited between them', async () => {
        const personId = randomUUID();
        for (const n of ['one', 'two']) await note(personId, `Note ${n}.`, n);
        const first = await order(personId, sources('one'));
        await note(personId, 'Note new.', 'new');
        const second = await order(personId, sources('two'));
        await undo(personId, first);
        await undo(personId, second);
        expect(await coreOf(personId)).toEqual(['Note two.\nNote new.']);
      });

      it('brings a fact back as it was, though it held again in between', async () => {
        const { personId, paris, oslo } = await sayTheyMoved();
        const textsNow = async () => (await rowsOf(personId)).map(({ text }) => text);
        const before = await textsNow();
        const first = await order(personId, sources(oslo));
        const second = await order(personId, sources(paris));
        await undo(personId, first);
        await undo(personId, second);
        expect(await textsNow()).toEqual(before);
      });

      describe('of a fact that another had ended', () => {
        const [march, may] = ['2026-03-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'];
        const lived = (value: string, validFrom: string, validTo: string | null) => ({
          kind: 'fact' as const,
          text: `I live in ${value}`,
          saidAt: validFrom,
          fact: { attribute: 'home', value, validFrom, validTo, isSure: true },
        });
        const home = async (personId: string, value: string) =>
          present((await rowsOf(personId)).find((one) => one['value'] === value));
        const forgetHome = async (personId: string, value: string) =>
          order(personId, ids((await home(personId, value))['id']));
        /** Has somebody move from Paris to Oslo, without messages that say so. */
        const move = async () => {
          const personId = randomUUID();
          const records = [lived('Paris', march, may), lived('Oslo', may, null)];
          await ask(memoryContract.import, { personId, companionId: 'wren', records });
          return personId;
        };

        it('brings it not back once it was forgotten itself', async () => {
          const personId = await move();
          const valuesNow = async () => (await rowsOf(personId)).map(({ value }) => value).toSorted();
          const first = await forgetHome(personId, 'Oslo');
          const second = await forgetHome(personId, 'Paris');
          await undo(personId, first);
          expect(await valuesNow()).toEqual(['Oslo']);
          await undo(personId, second);
          expect(await valuesNow()).toEqual(['Oslo', 'Paris']);
        });

        it('ends it again with the words that its owner gave it meanwhile', async () => {
          const personId = await move();
          const forgotten = await forgetHome(personId, 'Oslo');
          const { id } = await home(personId, 'Paris');
          const change = { text: 'I live in Rome.', pinned: true };
          await ask(memoryContract.change, { personId, id: String(id), change });
          await undo(personId, forgotten);
          expect(await home(personId, 'Rome')).toMatchObject({
            id,
            pinned: true,
            writer: 'person',
            superseded_by: (await home(personId, 'Oslo'))['id'],
            text: 'I live in Rome (from 1 March 2026 until 1 May 2026, no longer)',
          });
        });

        it('leaves it as it was told again meanwhile, which ends what had ended it', async () => {
          const personId = await move();
          const forgotten = await forgetHome(personId, 'Oslo');
          const { turnId } = await sayOn('2026-06-01', 'I live in Paris', { personId });
          await extract(personId);
          await undo(personId, forgotten);
          const paris = await home(personId, 'Paris');
          expect(paris).toMatchObject({ valid_to: null, superseded_by: null });
          expect(paris['sources']).toContain(`${turnId}-0`);
          expect(await home(personId, 'Oslo')).toMatchObject({
            superseded_by: paris['id'],
            text: expect.stringMatching(/from 1 May .* until 1 June .* no longer/),
          });
        });

        it('leaves it withdrawn where it was taken back meanwhile', async () => {
          const personId = await move();
          const forgotten = await forgetHome(personId, 'Oslo');
          const { text } = await home(personId, 'Paris');
          const { outcome } = await ask(memoryContract.amend, {
            ...place(personId),
            companionName: 'Wren',
            sources: ['m-now'],
            key: randomUUID(),
            old: String(text),
            text: null,
            said: ['It is wrong that I live in Paris.'],
          });
          expect(outcome).toBe('withdrawn');
          await undo(personId, forgotten);
          expect(await home(personId, 'Paris')).toMatchObject({
            shelf: 'withdrawn',
            shelf_reason: 'taken back',
          });
        });
      });

      it('leaves a memory as its owner put it right after its correction was forgotten', async () => {
        const { personId } = await say('I live in Berlin');
        const id = String((await rowsOf(personId))[0]!['id']);
        await ask(memoryContract.amend, {
          ...place(personId),
          companionName: 'Wren',
          sources: ['m-now'],
          key: randomUUID(),
          old: 'I live in Berlin',
          text: 'They live in Hamburg',
          said: ['No, it is Hamburg.'],
        });
        const forgotten = await order(personId, sources('m-now'));
        const change = { text: 'I live in Bremen' };
        await ask(memoryContract.change, { personId, id, change });
        await undo(personId, forgotten);
        expect((await rowsOf(personId)).filter(({ kind }) => kind === 'episode')).toMatchObject([
          { id, text: 'I live in Bremen', shelf: 'open' },
          { text: 'They live in Hamburg', shelf: 'open' },
        ]);
      });

      it('brings back memories and tasks that both named', async () => {
        const { personId, turnId } = await say(['My knee hurts', 'I bake bread']);
        const told = `${turnId}-0`;
        const text = 'Ask after the knee';
        await addTask(personId, text, told);
        const before = await rowsOf(personId);
        const tasksOf = async () => (await ask(memoryContract.tasks, { personId })).tasks;
        const first = await order(personId, sources(told));
        const second = await order(personId, EVERYTHING);
        const third = await order(personId, sources(told));
        await undo(personId, first);
        expect([await rowsOf(personId), await tasksOf()]).toEqual([[], []]);
        await undo(personId, second);
        expect(await wordsOf(personId)).toEqual(['I bake bread']);
        expect(await tasksOf()).toEqual([]);
        await undo(personId, third);
        expect((await rowsOf(personId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
        expect(await tasksOf()).toMatchObject([{ text }]);
        expect(await pointsOf(personId)).toBe(2);
      });
    });
  });
}
