import { describe, expect, it } from '@jest/globals';
import { PERSON, migrated, query, backUp, restore } from './open-postgres.js';

/** Tests that a backup has nothing sent for a second time, or against a wish. */
export function outreachSince(): void {
  describe('a backup', () => {
    it('sends nothing for a second time, and to nobody who opted out since', async () => {
      const url = await migrated('kith_outreach');
      const [cy, eve] = ['00000000-0000-7000-8000-0000000000cc', '00000000-0000-7000-8000-0000000000ee'];
      await query(
        url,
        `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann'), ('${cy}', 'Cy'), ('${eve}', 'Eve')`,
        [PERSON],
      );
      await query(
        url,
        `INSERT INTO outreach_settings (person_id, opted_in, age_state, updated_at)
       VALUES ($1, true, 'unknown', now()), ('${cy}', true, 'unknown', now()), ('${eve}', false, 'minor', now())`,
        [PERSON],
      );
      await query(
        url,
        `INSERT INTO outreach_channels VALUES ('c1', 'on'), ('c2', 'off'); INSERT INTO recurring_jobs (name) VALUES ('outreach')`,
      );
      const reason = (about: string, due: string, { turn = 'gen_random_uuid()', yearly = false } = {}) =>
        query(
          url,
          `INSERT INTO intentions (id, person_id, companion_id, turn_id, about, due_at, yearly)
         VALUES (gen_random_uuid(), $1, 'mira', ${turn}, $2, now() + $3::interval, $4)`,
          [PERSON, about, due, yearly],
        );
      await reason('sent since', '-1 hour');
      await reason('still to be sent', '-1 hour');
      await reason('put off since', '1 hour');
      await reason('removed since', '-1 hour');
      await reason('for later', '1 hour');
      await reason('birthday', '-1 hour', { yearly: true });
      await reason('birthday removed since', '-1 hour', { yearly: true });
      const attempt = (about: string, status: string) =>
        query(
          url,
          `INSERT INTO outreach_attempts (id, person_id, companion_id, reason, status, decided_at)
         VALUES (gen_random_uuid(), $1, 'mira', $2, $3, now())`,
          [PERSON, about, status],
        );
      await attempt('begun', 'queued');
      const { file } = await backUp(url);

      await query(url, `UPDATE intentions SET status = 'done' WHERE about IN ('sent since', 'birthday')`);
      await query(
        url,
        `UPDATE intentions SET due_at = now() + interval '2 days' WHERE about = 'put off since'`,
      );
      await query(url, `DELETE FROM intentions WHERE about LIKE '%removed since' OR about = 'for later'`);
      const turn = `(SELECT turn_id FROM intentions WHERE about = 'birthday')`;
      await reason('birthday', '1 year', { turn, yearly: true });
      await reason('promised since', '1 hour');
      await reason('own, since', '-1 hour', { turn: 'NULL' });
      await query(url, `UPDATE intentions SET status = 'done' WHERE about = 'own, since'`);
      await query(url, `UPDATE outreach_attempts SET status = 'sent'`);
      await attempt('sent since', 'sent');
      await attempt('under way', 'queued');
      await query(
        url,
        `UPDATE outreach_settings SET unanswered = 2, age_state = 'minor' WHERE person_id = $1`,
        [PERSON],
      );
      // Eve has opted in since, and is known to be of age.
      await query(url, `UPDATE outreach_settings SET opted_in = false WHERE person_id = '${cy}'`);
      await query(
        url,
        `UPDATE outreach_settings SET opted_in = true, age_state = 'adult' WHERE person_id = '${eve}'`,
      );
      await query(
        url,
        `UPDATE outreach_channels SET mode = CASE channel_id WHEN 'c1' THEN 'off' ELSE 'on' END`,
      );
      await query(url, `UPDATE recurring_jobs SET paused = true`);

      const reasons = async (of: string) => {
        const rows = await query(
          of,
          `SELECT concat_ws(' ', about, '|', status, '|', CASE WHEN due_at < now() THEN 'past'
           WHEN due_at < now() + interval '1 day' THEN 'today' WHEN due_at < now() + interval '3 days' THEN 'soon'
           ELSE 'next year' END) AS reason
         FROM intentions ORDER BY about, due_at`,
        );
        return rows.map((row) => row['reason']);
      };
      await restore(url, file);
      expect(await reasons(url)).toEqual([
        ' | done | past', // the companion's own: it does not ask again
        'birthday | done | past',
        'birthday | open | next year',
        'birthday removed since | open | next year',
        'for later | open | today',
        'put off since | open | soon',
        'removed since | dropped | past',
        'sent since | done | past',
        'still to be sent | open | past',
      ]);
      expect(
        await query(url, 'SELECT reason, status FROM outreach_attempts ORDER BY reason, status'),
      ).toEqual([
        { reason: '', status: 'failed' },
        { reason: '', status: 'sent' },
        { reason: 'begun', status: 'sent' },
      ]);
      expect(
        await query(
          url,
          `SELECT display_name, opted_in, age_state, unanswered FROM outreach_settings JOIN people USING (person_id)
         ORDER BY 1`,
        ),
      ).toEqual([
        { display_name: 'Ann', opted_in: true, age_state: 'minor', unanswered: 2 },
        { display_name: 'Cy', opted_in: false, age_state: 'unknown', unanswered: 0 },
        { display_name: 'Eve', opted_in: true, age_state: 'adult', unanswered: 0 },
      ]);
      expect(await query(url, 'SELECT * FROM outreach_channels ORDER BY 1')).toEqual([
        { channel_id: 'c1', mode: 'off' },
        { channel_id: 'c2', mode: 'on' },
      ]);
      expect(await query(url, 'SELECT paused FROM recurring_jobs')).toEqual([{ paused: true }]);

      // On a new machine nobody knows what was sent since: what was due is not sent.
      const newMachine = await migrated('kith_outreach_new');
      await restore(newMachine, file);
      expect(await reasons(newMachine)).toEqual([
        'birthday | open | next year',
        'birthday removed since | open | next year',
        'for later | open | today',
        'put off since | open | today',
        'removed since | dropped | past',
        'sent since | dropped | past',
        'still to be sent | dropped | past',
      ]);
    });
  });
}
