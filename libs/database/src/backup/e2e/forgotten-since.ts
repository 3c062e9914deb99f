import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { PERSON, migrated, query, backUp, restore } from './open-postgres.js';

/** Tests that a backup brings nothing back that was forgotten since. */
export function forgottenSince(): void {
  describe('a backup', () => {
    it('has forgotten again what was forgotten since', async () => {
      const url = await migrated('kith_forgotten');
      await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
      const order = (what: object, reason = 'forgotten', person = PERSON) =>
        query(
          url,
          `INSERT INTO forget_orders (id, person_id, reason, what, undo_until, finished_at)
         VALUES (gen_random_uuid(), $1, $2, $3, now() + interval '5 minutes', now())`,
          [person, reason, what],
        );
      await order({ kind: 'sources', sources: ['m0'] });
      const document = `document:${PERSON}`;
      await query(
        url,
        `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at, sources)
       VALUES ($1, $1, 'mira', 'knowledge', 'fish', 'h', 'direct', 'import', 5, now(), $2)`,
        [PERSON, [document, `${document}#1`, 'm0']],
      );
      const task = (id: string, number: number) =>
        query(
          url,
          `INSERT INTO tasks (id, person_id, companion_id, audience, number, text, noted_by)
         VALUES ($2, $1, 'mira', 'direct', $3, $4, 'person')`,
          [PERSON, id, number, `task ${number}`],
        );
      const deleted = '00000000-0000-7000-8000-0000000000d1';
      await task(deleted, 1);
      await task('00000000-0000-7000-8000-0000000000d2', 2);
      const { file } = await backUp(url);
      await order({ kind: 'all' });
      // The first is in the backup, with two of its messages. There are more than one order takes.
      const lineSources = [document, `${document}#1`, ...Array.from({ length: 502 }, (_, n) => `m${n}`)];
      const ids = [PERSON, '00000000-0000-7000-8000-0000000000dd'];
      await order({ kind: 'ids', ids, lineSources });
      await query(
        url,
        `INSERT INTO forget_orders (id, person_id, reason, what, keep_talk)
       SELECT gen_random_uuid(), person_id, reason, what, true FROM forget_orders WHERE what ->> 'kind' = 'ids'`,
      );
      await order(
        { kind: 'revision', source: 'm2', turnId: PERSON, companionId: 'mira', revision: null },
        'deleted',
      );
      await order(
        { kind: 'revision', source: 'm3', turnId: PERSON, companionId: 'mira', revision: 2 },
        'edited',
      );
      await order({ kind: 'all' }, 'undone');
      await order({ kind: 'all' }, 'forgotten', '00000000-0000-7000-8000-0000000000bb');
      await query(url, 'DELETE FROM tasks');
      const summaryOrder = randomUUID();
      await query(
        url,
        `INSERT INTO forget_records (id, person_id, everything, sources, pending, removed, subjects)
       VALUES (gen_random_uuid(), $1, false, '{}', '{}', $2, '{}'),
         ('${summaryOrder}', $1, false, '{}', '{}', '{}', '{mira direct day}'),
         (gen_random_uuid(), $1, false, '{m9}', '{}', $2, '{}')`,
        [PERSON, [deleted]],
      );
      await restore(url, file);
      expect(await query(url, 'SELECT text FROM tasks')).toEqual([{ text: 'task 2' }]);
      // Not as the order's own record: the order is carried out again.
      expect(
        await query(
          url,
          `SELECT removed, subjects, id = '${summaryOrder}' AS own FROM forget_records ORDER BY subjects`,
        ),
      ).toEqual([
        { removed: [deleted], subjects: [], own: false },
        { removed: [], subjects: ['mira direct day'], own: false },
      ]);
      expect(
        await query(
          url,
          `SELECT what ->> 'kind' AS kind, jsonb_array_length(what -> 'sources') AS sources, reason,
           finished_at IS NULL AS open, coalesce(undo_until > now(), false) AS undoable
         FROM forget_orders ORDER BY finished_at, 1, 2`,
        ),
      ).toEqual([
        // The backup's own.
        { kind: 'sources', sources: 1, reason: 'forgotten', open: false, undoable: true },
        { kind: 'all', sources: null, reason: 'forgotten', open: true, undoable: false },
        { kind: 'ids', sources: null, reason: 'forgotten', open: true, undoable: false },
        { kind: 'ids', sources: null, reason: 'forgotten', open: true, undoable: false },
        { kind: 'sources', sources: 1, reason: 'forgotten', open: true, undoable: false },
        { kind: 'sources', sources: 1, reason: 'forgotten', open: true, undoable: false },
        { kind: 'sources', sources: 500, reason: 'forgotten', open: true, undoable: false },
      ]);
      expect(
        await query(
          url,
          `SELECT source FROM forget_orders, jsonb_array_elements_text(what -> 'sources') AS source
         WHERE finished_at IS NULL AND (source LIKE 'document:%' OR source = 'm0')`,
        ),
      ).toEqual([]);
      expect(
        await query(
          url,
          `SELECT what -> 'sources' AS sources, what ->> 'deletedIn' AS turn FROM forget_orders
         WHERE what ? 'deletedIn'`,
        ),
      ).toEqual([{ sources: ['m2'], turn: PERSON }]);
    });
  });
}
