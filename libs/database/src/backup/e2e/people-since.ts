import { describe, expect, it } from '@jest/globals';
import { PERSON, migrated, query, backUp, restore } from './open-postgres.js';

/** Tests that a backup brings no person back who was erased since, and no key that was revoked. */
export function peopleSince(): void {
  describe('a backup', () => {
    it('brings nobody back who was erased since', async () => {
      const url = await migrated('kith_erased');
      const people = `INSERT INTO people (person_id, display_name) VALUES ($1, 'erased'), (gen_random_uuid(), 'stays')`;
      await query(url, people, [PERSON]);
      await query(
        url,
        `INSERT INTO identities (id, person_id, door, subject) VALUES ($1, $1, 'discord', '1')`,
        [PERSON],
      );
      await query(
        url,
        `INSERT INTO usage (id, person_id, companion_id, model, prompt_tokens, completion_tokens)
       VALUES ($1, $1, 'mira', 'm', 7, 1)`,
        [PERSON],
      );
      const said = (kind: 'direct' | 'channel', owner: string | null) =>
        query(
          url,
          `WITH place AS (
           INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience, person_id)
           VALUES (gen_random_uuid(), 'mira', 'discord', $1, $1, $1, $2) RETURNING conversation_id
         ), turn AS (
           INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace, started_at, ended_at)
           SELECT gen_random_uuid(), conversation_id, $3, 'mira', 'discord', $1, 'message', 'answered', '{}', now(), now()
           FROM place
           RETURNING turn_id, conversation_id
         )
         INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, text, at)
         SELECT conversation_id, turn_id, $3, 'person', 'Ann', 'said ' || $1, now() FROM turn`,
          [kind, owner, PERSON],
        );
      await said('direct', PERSON);
      await said('channel', null);
      await query(url, `INSERT INTO erased_accounts VALUES ('again', '2026-01-01T00:00:00Z')`);
      const { file } = await backUp(url);
      await query(
        url,
        `INSERT INTO erasures (erased_id, asked_by, finished_at) VALUES ($1, 'person', now())`,
        [PERSON],
      );
      const accounts = `
      INSERT INTO erased_accounts VALUES ('since', '2026-03-01T00:00:00Z'), ('again', '2026-03-01T00:00:00Z')
      ON CONFLICT (mark) DO UPDATE SET erased_at = excluded.erased_at`;
      await query(url, accounts);
      await restore(url, file);
      const since = new Date('2026-03-01T00:00:00Z');
      expect(await query(url, 'SELECT * FROM erased_accounts ORDER BY 1')).toEqual([
        { mark: 'again', erased_at: since },
        { mark: 'since', erased_at: since },
      ]);
      expect(await query(url, 'SELECT display_name FROM people')).toEqual([{ display_name: 'stays' }]);
      expect(await query(url, 'SELECT 1 FROM identities')).toEqual([]);
      expect(await query(url, 'SELECT prompt_tokens FROM usage')).toEqual([{ prompt_tokens: 7 }]);
      // The services look after the rest, and find by this who repeats it.
      expect(await query(url, 'SELECT text, withheld FROM transcript JOIN turns USING (turn_id)')).toEqual([
        { text: 'said channel', withheld: 'forgotten' },
      ]);
      expect(await query(url, 'SELECT erased_id, finished_at FROM erasures')).toEqual([
        { erased_id: PERSON, finished_at: null },
      ]);
    });

    it('brings no key back that was revoked since', async () => {
      const url = await migrated('kith_revoked');
      const addKey = (hash: string) =>
        query(
          url,
          `INSERT INTO api_keys (id, person_id, name, hash, scopes) VALUES (gen_random_uuid(), $1, $2, $2, '{chat}')`,
          [PERSON, hash],
        );
      await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
      await addKey('stays');
      await addKey('revoked since');
      const { file } = await backUp(url);
      await addKey('made and revoked since');
      await query(url, `UPDATE api_keys SET revoked_at = now() WHERE hash <> 'stays'`);
      await query(url, `INSERT INTO revoked_keys VALUES ('of somebody erased')`);
      await restore(url, file);
      expect(await query(url, 'SELECT hash FROM api_keys WHERE revoked_at IS NULL')).toEqual([
        { hash: 'stays' },
      ]);
      expect(await query(url, 'SELECT hash FROM revoked_keys ORDER BY 1')).toEqual([
        { hash: 'made and revoked since' },
        { hash: 'of somebody erased' },
        { hash: 'revoked since' },
      ]);
    });
  });
}
