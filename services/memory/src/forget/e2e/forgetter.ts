import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { days, EVERYTHING, ids, inAMinute, sources, type Orders } from './orders.js';

/** Tests that what is named is removed, with its points and what was noted of it, and stays away. */
export function forgetter(orders: Orders): void {
  const { remember, say, sayOn, recall, textsOf, rowsOf, pointsOf, extract } = orders.memory;
  const { memory, forget, forgetOfWren, find, note, coreOf, wordsOf } = orders;

  describe('forgetting', () => {
    it('removes a memory from Postgres and from the index, and a late job does not bring it back', async () => {
      const turn = await say(['I like fish', 'I like soup']);
      const [fish] = await rowsOf(turn.personId);
      const id = fish?.['id'];
      expect(await forget(turn.personId, ids(id))).toMatchObject({ rows: 1, points: 1 });
      expect(await pointsOf(turn.personId)).toBe(1);
      await remember(turn);
      expect(textsOf(await recall(turn, 'fish soup'))).toEqual(['I like soup']);
      expect(await forget(turn.personId, ids(id))).toMatchObject({ rows: 0, points: 0 });
    });

    it('names the messages it came from, the same when it is ordered again', async () => {
      const turn = await say(['I like fish']);
      const { personId } = turn;
      const [fish] = await rowsOf(personId);
      const again = { orderId: randomUUID() };
      const done = await forget(personId, EVERYTHING, again);
      expect(done).toMatchObject({ sources: fish?.['sources'], memoryIds: [fish?.['id']] });
      expect(await forget(personId, EVERYTHING, again)).toMatchObject({
        rows: 1,
        points: 0,
        sources: fish?.['sources'],
      });
    });

    it('removes a fact that a restore brought back under another id, and reads it no more from the line that stays', async () => {
      const { personId, turnId } = await say('I live in Paris');
      const kinds = async () => (await rowsOf(personId)).map(({ kind }) => kind).toSorted();
      await extract(personId);
      expect(await kinds()).toEqual(['episode', 'fact']);
      await forget(personId, ids(randomUUID()), { unread: [`${turnId}-0`] });
      await extract(personId);
      expect(await kinds()).toEqual(['episode']);
    });

    it('undoes by source message, also one that is not stored yet', async () => {
      const turn = memory.turn(['I like fish', 'I like soup']);
      await forget(turn.personId, sources(`${turn.turnId}-0`));
      await remember(turn);
      expect(textsOf(await recall(turn, 'fish soup'))).toEqual(['I like soup']);
      expect(await forget(turn.personId, sources(`${turn.turnId}-1`))).toMatchObject({ rows: 1, points: 1 });
    });

    it('forgets everything, keeps late jobs of before out, and remembers what is said after', async () => {
      const before = memory.turn('I like fish');
      await say('I like soup', { personId: before.personId });
      expect(await forget(before.personId, EVERYTHING)).toMatchObject({ rows: 1, points: 1 });
      before.startedAt = new Date(Date.now() - 60_000).toISOString();
      await remember(before);
      expect(await rowsOf(before.personId)).toEqual([]);
      await say('I like bread', { personId: before.personId, startedAt: inAMinute() });
      expect(await rowsOf(before.personId)).toHaveLength(1);
    });

    it('removes nothing of another person’s', async () => {
      const turn = await say('I like fish');
      const [row] = await rowsOf(turn.personId);
      expect(await forget(randomUUID(), ids(row?.['id']))).toMatchObject({ rows: 0, points: 0 });
      expect(await pointsOf(turn.personId)).toBe(1);
    });

    it('leaves no point behind of what is forgotten while it is being embedded', async () => {
      const turn = memory.turn('I like fish');
      memory.neighbours.duringEmbedding = async () => {
        await forget(turn.personId, EVERYTHING);
      };
      await remember(turn);
      expect(await rowsOf(turn.personId)).toEqual([]);
      expect(await pointsOf(turn.personId)).toBe(0);
    });

    it('goes by a time, once it was looked at, and keeps what comes late from it away', async () => {
      const { personId } = await say(['My knee hurts', 'I saw a doctor']);
      const late = memory.turn('She gave me a salve', { personId });
      const what = days('2026-05-01', '2026-05-02');
      const preview = await forgetOfWren(personId, what, { preview: true });
      expect(preview).toMatchObject({ rows: 2, points: 0 });
      expect(preview.memories).toHaveLength(2);
      expect((await rowsOf(personId)).length).toBe(2);
      const done = await forgetOfWren(personId, what);
      expect(done).toMatchObject({ rows: 2, points: 2 });
      await remember(late);
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('remembers what is said after an order whose time reaches into the future', async () => {
      const { personId } = await say('My knee hurts');
      const late = memory.turn('She gave me a salve', { personId });
      await forgetOfWren(personId, days('2026-05-01', '2199-12-31'));
      await remember(late);
      expect(await rowsOf(personId)).toEqual([]);
      const dayAfter = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await sayOn(dayAfter, 'I swim again', { personId });
      expect(await wordsOf(personId)).toEqual(['I swim again']);
    });

    it('takes more at once than a statement has parameters, and what they ended holds again', async () => {
      const { personId } = await sayOn('2026-01-05', 'I live in Berlin');
      await extract(personId);
      await sayOn('2026-03-01', 'I moved to Tokyo!', { personId });
      await extract(personId);
      // Prisma names the rows in two lists, and Postgres takes 32,767 parameters.
      await memory.stores.query(
        `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance,
           said_at, sources)
         SELECT gen_random_uuid(), $1, 'wren', 'episode', 'Line ' || n, n, 'direct', 'person', 1, '2026-05-01',
           ARRAY['m-' || n] FROM generate_series(1, 17000) AS n`,
        [personId],
      );
      const what = days('2026-02-01', '2026-06-01');
      expect(await forgetOfWren(personId, what)).toMatchObject({ rows: 17_002 });
      // Both are of one time.
      expect(await wordsOf(personId)).toEqual([
        'Ann lives in Berlin (since 5 January 2026)',
        'I live in Berlin',
      ]);
    });

    it('goes by what a search finds', async () => {
      const { personId } = await say(['My knee hurts', 'I bake bread']);
      const what = ids(...(await find(personId, 'knee')));
      expect(await forgetOfWren(personId, what)).toMatchObject({ rows: 1, points: 1 });
      expect(await wordsOf(personId)).toEqual(['I bake bread']);
    });

    it('takes out of core memory what was written for it', async () => {
      const { personId, turnId } = await say(['My knee hurts', 'I bake bread']);
      // A tool's call that comes again, as after a crash, adds nothing.
      const key = randomUUID();
      await note(personId, 'Ann has a bad knee.', `${turnId}-0`, key);
      await note(personId, 'Ann has a bad knee.', `${turnId}-0`, key);
      await note(personId, 'Ann bakes.', `${turnId}-1`);
      await forgetOfWren(personId, ids(...(await find(personId, 'knee'))));
      expect(await coreOf(personId)).toEqual(['Ann bakes.']);
    });

    it('takes what was noted of a message whose turn is under way, and refuses what is noted later', async () => {
      const personId = randomUUID();
      await note(personId, 'Ann has a bad knee.', 'under-way');
      await note(personId, 'Ann bakes.', 'before');
      const what = days('2026-05-01', '2026-05-02');
      await forgetOfWren(personId, what, { unread: ['under-way'] });
      expect(await coreOf(personId)).toEqual(['Ann bakes.']);
      await expect(note(personId, 'Her knee hurts.', 'under-way')).rejects.toThrow('forgotten meanwhile');
    });

    if (memory.kind === 'qdrant') {
      describe('without Qdrant', () => {
        it('forgets the rows at once and the points when it is back', async () => {
          const turn = await say('I like fish');
          memory.qdrant!.down = true;
          const what = sources(`${turn.turnId}-0`);
          expect(await forget(turn.personId, what)).toMatchObject({ rows: 1, points: 0 });
          expect(await rowsOf(turn.personId)).toEqual([]);
          memory.qdrant!.down = false;
          expect(await forget(turn.personId, what)).toMatchObject({ rows: 0, points: 1 });
          expect(await pointsOf(turn.personId)).toBe(0);
        });
      });
    }
  });
}
