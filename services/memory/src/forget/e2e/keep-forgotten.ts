import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import { days, EVERYTHING, minutesAfter, sources, type Orders } from './orders.js';

/** Tests that an undo gives back nothing that a later order covers. */
export function keepForgotten(orders: Orders): void {
  const { remember, say, rowsOf, extract } = orders.memory;
  const {
    memory,
    ask,
    order,
    undo,
    revise,
    note,
    keepNote,
    coreOf,
    wordsOf,
    nowOfStores,
    turnAt,
    sayTheyMoved,
  } = orders;

  describe('undoing beside a later order that stands', () => {
    const FIRST = 'I water the fern on Mondays';
    const SECOND = 'My sister Ida has a limp';
    const THIRD = 'I bake rye bread';
    const message = (turnId: string, n: number) => sources(`${turnId}-${n}`);
    const allOf = async (personId: string) => (await wordsOf(personId)).join('\n');
    const reflect = (personId: string) => {
      // The day on which `say` says.
      const [day, from, to] = ['2026-05-01', '2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z'];
      return memory.parts.consolidation.consolidate({ personId, companionId: 'wren', day, from, to });
    };

    it('brings back no reflection that quotes what went since', async () => {
      const { personId, turnId } = await say([FIRST, SECOND, THIRD]);
      await reflect(personId);
      expect((await allOf(personId)).split(SECOND)).toHaveLength(3);
      const first = await order(personId, message(turnId, 0));
      const second = await order(personId, message(turnId, 1));
      await undo(personId, first);
      expect(await wordsOf(personId)).toEqual([THIRD, FIRST].toSorted());
      await undo(personId, second);
      expect(await allOf(personId)).toContain(SECOND);
    });

    it('brings back no reflection with words that were put right since', async () => {
      const { personId, turnId } = await say([FIRST, SECOND, THIRD]);
      await reflect(personId);
      const first = await order(personId, message(turnId, 0));
      const id = (await rowsOf(personId)).find(({ text }) => text === SECOND)?.['id'] as string;
      const change = { text: 'My sister Ida is well' };
      await ask(memoryContract.change, { personId, id, change });
      await undo(personId, first);
      expect(await allOf(personId)).toContain(FIRST);
      expect(await allOf(personId)).not.toContain('limp');
    });

    it('brings back no fact that went since', async () => {
      const { personId, paris, oslo } = await sayTheyMoved();
      expect(await allOf(personId)).toMatch(/Paris .*no longer/);
      const first = await order(personId, sources(oslo));
      await order(personId, sources(paris));
      await undo(personId, first);
      expect(await allOf(personId)).toContain('Oslo');
      expect(await allOf(personId)).not.toContain('Paris');
    });

    it('brings back no archive note that repeats what was edited since', async () => {
      const { personId, turnId } = await say([FIRST, SECOND]);
      const both = [`${turnId}-0`, `${turnId}-1`];
      await keepNote(personId, { text: 'Ida walks badly.', saidAt: '2026-05-01T10:00:00Z', sources: both });
      const first = await order(personId, message(turnId, 0));
      // As of an edit that found nothing to remove: the rows lie sealed.
      await memory.stores.query(
        `INSERT INTO forget_records (id, person_id, everything, sources, revision)
         VALUES (gen_random_uuid(), $1, false, ARRAY[$2], 1)`,
        [personId, `${turnId}-1`],
      );
      await undo(personId, first);
      expect(await allOf(personId)).not.toContain('walks badly');
      expect(await allOf(personId)).toContain(FIRST);
    });

    it('brings nothing back once everything was to be forgotten', async () => {
      const { personId, turnId } = await say([FIRST, SECOND]);
      await note(personId, 'Ida has a limp.', `${turnId}-1`);
      const first = await order(personId, message(turnId, 0));
      await order(personId, EVERYTHING);
      await undo(personId, first);
      expect(await rowsOf(personId)).toEqual([]);
      expect(await coreOf(personId)).toEqual([]);
    });

    it('brings back what was said after an order for everything that was carried out late, and only lines', async () => {
      const { personId } = await say(FIRST);
      const at = await nowOfStores();
      const turn = turnAt(minutesAfter(at, 1), [SECOND, 'I live in Rome'], { personId });
      await remember(turn);
      await extract(personId);
      const before = await rowsOf(personId);
      const what = sources(...[0, 1].map((n) => `${turn.turnId}-${n}`));
      const [early, since] = [
        await order(personId, days('2026-05-01', '2026-05-02')),
        await order(personId, what),
      ];
      await order(personId, EVERYTHING, { saidAfter: { at, turnIds: [turn.turnId] } });
      await undo(personId, early);
      await undo(personId, since);
      expect(await allOf(personId)).not.toContain(FIRST);
      // What is read from the lines anew, at any moment from here, has ids of its own.
      const after = new Set((await rowsOf(personId)).map(({ id }) => id));
      const restored = before.filter(({ id }) => after.has(id)).map(({ text }) => text);
      expect(new Set(restored)).toEqual(new Set([SECOND, 'I live in Rome']));
    });

    it.each([
      [
        'forgotten',
        async (personId: string, turnId: string) => void (await order(personId, message(turnId, 1))),
      ],
      ['edited', async (personId: string, turnId: string) => void (await revise(personId, turnId, { n: 1 }))],
    ])('brings back no note for a message that was %s since', async (_, removeSecond) => {
      const { personId, turnId } = await say([FIRST, SECOND, THIRD]);
      for (const [n, text] of ['Ann has a fern.', 'Ida has a limp.'].entries())
        await note(personId, text, `${turnId}-${n}`);
      const first = await order(personId, message(turnId, 0));
      await removeSecond(personId, turnId);
      await undo(personId, first);
      expect(await coreOf(personId)).toEqual(['Ann has a fern.']);
      expect(await allOf(personId)).toContain(FIRST);
    });
  });
}
