import { describe, expect, it } from '@jest/globals';
import { PERSON, migrated, query, backUp, restore } from './open-postgres.js';

/** Tests that a backup leaves known what of Discord was heard and deleted since. */
export function placesSince(): void {
  describe('a backup', () => {
    it('leaves known how far the bot has heard', async () => {
      const url = await migrated('kith_heard');
      const cursor = (channel: string, heard: number, person: string | null = null) =>
        query(
          url,
          `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, person_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (channel_id) DO UPDATE SET last_message_id = excluded.last_message_id`,
          [channel, person !== null, heard, person],
        );
      const cursors = async () => {
        const rows = await query(url, 'SELECT channel_id, last_message_id FROM discord_cursors');
        return Object.fromEntries(rows.map((row) => [row['channel_id'], row['last_message_id']])) as Record<
          string,
          unknown
        >;
      };
      await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
      for (const channel of ['goes on', 'left since']) await cursor(channel, 900);
      await query(
        url,
        `INSERT INTO discord_live_replies (turn_id, channel_id, message_ids) VALUES ($1, 'goes on', '{901}')`,
        [PERSON],
      );
      const { file } = await backUp(url);
      await cursor('goes on', 1000);
      await query(url, `DELETE FROM discord_cursors WHERE channel_id = 'left since'`);
      await cursor('begun since', 1100);
      await cursor('DM begun since', 1200, PERSON);
      await cursor('DM of somebody new', 1300, '00000000-0000-7000-8000-0000000000bb');
      await restore(url, file);
      const now = String((BigInt(Date.now()) - 1_420_070_400_000n) << 22n);
      const { 'left since': left, ...kept } = await cursors();
      expect(kept).toEqual({ 'goes on': '1000', 'begun since': '1100', 'DM begun since': '1200' });
      expect(Number(left) / Number(now)).toBeCloseTo(1, 5);
      // By it the reply that it became would be taken back.
      expect(await query(url, 'SELECT 1 FROM discord_live_replies')).toEqual([]);
    });

    it('has the bot look for places with talk that were deleted since, however long they were silent', async () => {
      const url = await migrated('kith_deleted_places');
      await query(
        url,
        `INSERT INTO discord_servers (server_id, places)
       VALUES ('1', '{lasting,deleted,silent,category}'), ('2', '{left}')`,
      );
      await query(
        url,
        `INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience)
       SELECT gen_random_uuid(), 'mira', 'discord', place, 'channel', 'channel:discord:' || place
       FROM unnest('{lasting,deleted,silent,left}'::text[]) AS place`,
      );
      await query(
        url,
        `INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, updated_at)
       VALUES ('deleted', false, '900', now() - interval '29 days')`,
      );
      const { file } = await backUp(url);
      await query(url, 'DELETE FROM discord_cursors');
      await query(url, `DELETE FROM discord_servers WHERE server_id = '2'`);
      await query(url, `UPDATE discord_servers SET places = '{lasting}'`);
      const lookedFor = async () => {
        const rows = await query(
          url,
          `SELECT channel_id, is_direct, person_id FROM discord_cursors
         WHERE updated_at BETWEEN now() - interval '21 days' AND now() AND last_message_id::numeric > 900
         ORDER BY 1`,
        );
        return rows.map((row) => Object.values(row));
      };
      await restore(url, file);
      const deleted = ['deleted', 'left', 'silent'].map((place) => [place, false, null]);
      expect(await lookedFor()).toEqual(deleted);
      // As a new machine, which knows of none.
      await query(url, 'TRUNCATE discord_servers, discord_cursors');
      await restore(url, file);
      expect(await lookedFor()).toEqual([...deleted, ['lasting', false, null]].toSorted());
    });
  });
}
