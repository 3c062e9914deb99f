import { describe, expect, it } from '@jest/globals';
import { PERSON, migrated, query, backUp, restore } from './open-postgres.js';

/** Tests that a backup allows nothing that was forbidden since. */
export function rulesSince(): void {
  describe('a backup', () => {
    it('allows nothing again that was forbidden since', async () => {
      const url = await migrated('kith_forbidden');
      const [bo, cy] = ['00000000-0000-7000-8000-0000000000bb', '00000000-0000-7000-8000-0000000000cc'];
      await query(
        url,
        `INSERT INTO people (person_id, display_name, private_from)
       VALUES ($1, 'Ann', NULL), ('${bo}', 'Bo', '2026-05-01'), ('${cy}', 'Cy', '2026-05-01')`,
        [PERSON],
      );
      const begin = (person: string, since: string) =>
        query(url, `INSERT INTO private_times (id, person_id, since) VALUES (gen_random_uuid(), $1, $2)`, [
          person,
          since,
        ]);
      for (const person of [bo, cy]) await begin(person, '2026-05-01');
      await query(
        url,
        `INSERT INTO tool_rules (id, tool, is_allowed, pin)
       SELECT gen_random_uuid(), tool, true, 'p' FROM unnest('{stays,denied,taken back}'::text[]) AS tool`,
      );
      await query(
        url,
        `INSERT INTO tool_grants (person_id, companion_id, tool, pin)
       SELECT $1, 'mira', tool, 'p' FROM unnest('{stays,taken back}'::text[]) AS tool`,
        [PERSON],
      );
      await query(
        url,
        `INSERT INTO companions (companion_id, name, persona, hash, updated_at) VALUES ('mira', 'Mira', '{}', 'h', now())`,
      );
      const { file } = await backUp(url);
      await query(url, `UPDATE private_times SET until = '2026-05-02'`);
      for (const person of [PERSON, cy]) await begin(person, '2026-05-03');
      await query(
        url,
        `UPDATE people SET private_from = NULL, private_ended = tstzmultirange(tstzrange(private_from, '2026-05-02'))
       WHERE private_from IS NOT NULL;
       UPDATE people SET private_from = '2026-05-03' WHERE display_name IN ('Ann', 'Cy')`,
      );
      await query(url, `UPDATE tool_rules SET is_allowed = false WHERE tool = 'denied'`);
      await query(
        url,
        `INSERT INTO tool_rules (id, tool, is_allowed, pin) VALUES (gen_random_uuid(), 'denied before it was used', false, 'p'),
         (gen_random_uuid(), 'allowed since', true, 'p')`,
      );
      for (const table of ['tool_rules', 'tool_grants'])
        await query(url, `DELETE FROM ${table} WHERE tool = 'taken back'`);
      await query(url, `UPDATE companions SET paused_at = now()`);

      const allowed = async (of: string) => [
        ...(await query(of, 'SELECT tool, is_allowed FROM tool_rules ORDER BY 1')),
        ...(await query(of, 'SELECT tool FROM tool_grants ORDER BY 1')),
      ];
      await restore(url, file);
      expect(await allowed(url)).toEqual([
        { tool: 'denied', is_allowed: false },
        { tool: 'denied before it was used', is_allowed: false },
        { tool: 'stays', is_allowed: true },
        { tool: 'stays' },
      ]);
      // Where the backup has private talk, the sweeper empties what has ended since.
      expect(
        await query(
          url,
          `SELECT display_name AS name, private_from::date::text AS since, lower(private_ended)::date::text AS before,
           upper(private_ended)::date::text AS until, privacy_asked_at IS NOT NULL AS asked, (
             SELECT string_agg(since::date || '/' || coalesce(until::date::text, ''), ' ' ORDER BY since)
             FROM private_times AS t WHERE t.person_id = people.person_id
           ) AS memory
         FROM people ORDER BY 1`,
        ),
      ).toEqual([
        { name: 'Ann', since: '2026-05-03', before: null, until: null, asked: false, memory: '2026-05-03/' },
        {
          name: 'Bo',
          since: null,
          before: '2026-05-01',
          until: '2026-05-02',
          asked: true,
          memory: '2026-05-01/2026-05-02',
        },
        {
          name: 'Cy',
          since: '2026-05-03',
          before: '2026-05-01',
          until: '2026-05-02',
          asked: true,
          memory: '2026-05-01/2026-05-02 2026-05-03/',
        },
      ]);
      expect(await query(url, 'SELECT 1 FROM companions WHERE paused_at IS NULL')).toEqual([]);

      const newMachine = await migrated('kith_forbidden_new');
      await restore(newMachine, file);
      expect(await allowed(newMachine)).toEqual([
        { tool: 'denied', is_allowed: true },
        { tool: 'stays', is_allowed: true },
        { tool: 'taken back', is_allowed: true },
        { tool: 'stays' },
        { tool: 'taken back' },
      ]);
    });
  });
}
