import { describe, expect, it } from '@jest/globals';
import type { Tx } from '@kith/database';
import { eventually } from '@kith/testing';
import { answered } from '../../e2e/talk.js';
import { commitTurn } from '../../outcome/commit-turn.js';
import { noteDelivered } from '../../redaction/undelivered-reply.js';
import { inDays, type Upkeep } from './upkeep.js';

/** Tests what goes when its days are over. */
export function retention({ talk, retentionWith }: Upkeep): void {
  describe('retention', () => {
    it('empties the copies that turns worked with, and leaves the conversation', async () => {
      const { retention } = retentionWith({ workingTexts: 30, transcript: 60 });
      const where = await talk.place();
      await talk.accept(where, 'old');
      const turn = { ...answered(), details: { recalled: ['words'], gate: 'proceed' } };
      const { outboxId } = await commitTurn(talk.database, await talk.claim(where), turn, true);
      await talk.stores.query(`UPDATE outbox SET status = 'delivered', settled_at = now() WHERE id = $1`, [
        outboxId,
      ]);
      const kept = async () => {
        const [row] = await talk.stores.query(
          `SELECT inbox.text, inbox.outcome, outbox.text AS reply, turns.trace, (SELECT count(*)::int FROM transcript t
             WHERE t.turn_id = turns.turn_id) AS lines
           FROM turns JOIN inbox USING (turn_id) JOIN outbox USING (turn_id) WHERE turn_id = $1`,
          [turn.turnId],
        );
        return row;
      };
      await retention.run(inDays(29));
      expect(await kept()).toMatchObject({ text: 'hello', reply: 'hi Ann', lines: 2 });
      await retention.run(inDays(31));
      expect(await kept()).toMatchObject({ text: '', outcome: 'answered', reply: '', lines: 2 });
      expect((await kept())!['trace']).toEqual({ gate: 'proceed', mood: null });
      await retention.run(inDays(61));
      expect(await kept()).toMatchObject({ lines: 0 });
    });

    it('empties those copies with the conversation at the latest: nobody finds them any more without it', async () => {
      const { retention } = retentionWith({ workingTexts: 0, transcript: 10 });
      const { turnId } = await talk.sayAtDiscord(
        await talk.place(),
        'My word is zebra77.',
        'I see: zebra77.',
      );
      await talk.stores.query(
        `UPDATE outbox SET status = 'delivered', settled_at = now() WHERE turn_id = $1`,
        [turnId],
      );
      const copies = () =>
        talk.stores.query(
          'SELECT inbox.text, outbox.text AS reply FROM inbox JOIN outbox USING (turn_id) WHERE turn_id = $1',
          [turnId],
        );
      await retention.run(inDays(9));
      expect(await copies()).toEqual([{ text: 'My word is zebra77.', reply: 'I see: zebra77.' }]);
      await retention.run(inDays(11));
      expect(await copies()).toEqual([{ text: '', reply: '' }]);
    });

    it('empties the copy of a reply with its line, however late it arrived', async () => {
      const { retention } = retentionWith({ workingTexts: 0, transcript: 10 });
      const { turnId } = await talk.sayAtDiscord(await talk.place(), 'hello', 'I see: zebra77.');
      await talk.stores.query(`UPDATE outbox SET status = 'delivered', settled_at = $2 WHERE turn_id = $1`, [
        turnId,
        inDays(3),
      ]);
      const copies = () => talk.stores.query('SELECT text, target FROM outbox WHERE turn_id = $1', [turnId]);
      await retention.run(inDays(9));
      expect(await copies()).toMatchObject([{ text: 'I see: zebra77.' }]);
      await retention.run(inDays(11));
      expect(await copies()).toEqual([{ text: '', target: {} }]);
    });

    it('waits for whoever has locked a reply before it takes its lines, and empties what arrives meanwhile or later', async () => {
      const { retention } = retentionWith({ workingTexts: 0, transcript: 10 });
      const where = await talk.place();
      const [arriving, waiting] = [
        await talk.sayAtDiscord(where, 'hello', 'I see: zebra77.'),
        await talk.sayAtDiscord(where, 'hello', 'I see: zebra78.'),
      ];
      const arrive = async (tx: Tx, turnId: string) => {
        await tx.$executeRaw`UPDATE outbox SET status = 'delivered', settled_at = now() WHERE turn_id = ${turnId}::uuid`;
        await noteDelivered(tx, turnId, 'all');
      };
      const isWaiting = async () =>
        (await talk.stores.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0;
      const run = await talk.database.asSystem(async (tx) => {
        await arrive(tx, arriving.turnId);
        const done = retention.run(inDays(11));
        await eventually('retention waits', isWaiting);
        // Who locked a reply goes on to its line, which nobody may hold by then.
        await tx.$executeRaw`SELECT 1 FROM transcript WHERE turn_id = ${arriving.turnId}::uuid FOR UPDATE NOWAIT`;
        return { done };
      });
      await run.done;
      await talk.database.asSystem((tx) => arrive(tx, waiting.turnId));
      expect(await talk.rowsOf('outbox', 'text', where)).toEqual([{ text: '' }, { text: '' }]);
      expect(await talk.rowsOf('transcript', 'text', where)).toEqual([]);
    });

    it('takes the lines of a turn together, also where its reply is younger than they', async () => {
      const { retention } = retentionWith({ transcript: 60 });
      const { turnId } = await talk.sayTo(await talk.place(), 'hello', 'hi');
      const lines = () => talk.stores.query('SELECT 1 FROM transcript WHERE turn_id = $1', [turnId]);
      await talk.stores.query(
        `UPDATE transcript SET at = at - interval '1 day' WHERE turn_id = $1 AND role = 'person'`,
        [turnId],
      );
      await retention.run(inDays(58));
      expect(await lines()).toHaveLength(2);
      await retention.run(inDays(59.5));
      expect(await lines()).toEqual([]);
    });

    it('runs every part, also where one before it fails', async () => {
      const { retention } = retentionWith({});
      const { personId } = await talk.place();
      await talk.stores.query(
        `INSERT INTO api_keys (id, person_id, name, hash, session_of, expires_at)
         SELECT gen_random_uuid(), $1, name, gen_random_uuid(), NULL, $2 FROM unnest('{a,b}'::text[]) AS name`,
        [personId, inDays(0)],
      );
      await talk.stores.query(
        `UPDATE api_keys SET session_of = (SELECT id FROM api_keys WHERE person_id = $1 AND name = 'a')
         WHERE person_id = $1 AND name = 'b'`,
        [personId],
      );
      await talk.stores.query('REVOKE DELETE ON operator_actions FROM kith_app');
      await expect(retention.run(inDays(40))).rejects.toThrow();
      await talk.stores.query('GRANT DELETE ON operator_actions TO kith_app');
      const left = await talk.stores.query('SELECT name FROM api_keys WHERE person_id = $1', [personId]);
      expect(left).toEqual([{ name: 'a' }]);
    });

    it('drops browsers’ sessions a month after their end, and not the key of an operator who acted as somebody', async () => {
      const { personId } = await talk.place();
      const key = async (name: string, about: object) => {
        const {
          parent = null,
          madeBy = null,
          expires = null,
          revoked = null,
        } = about as Record<string, unknown>;
        const [row] = await talk.stores.query<{ id: string }>(
          `INSERT INTO api_keys (id, person_id, name, hash, session_of, made_by, expires_at, revoked_at)
           VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), $3, $4, $5, $6) RETURNING id`,
          [personId, name, parent, madeBy, expires, revoked],
        );
        return row!.id;
      };
      const parent = await key('a key that was revoked', { revoked: inDays(0) });
      await key('expired', { parent, expires: inDays(1) });
      await key('revoked', { parent, expires: inDays(40), revoked: inDays(1) });
      await key('ended lately', { parent, expires: inDays(3) });
      const made = await key('of an operator', { expires: inDays(1), madeBy: personId });
      await key('browser of an operator', { parent: made, expires: inDays(1), madeBy: personId });
      await retentionWith({}).retention.run(inDays(32));
      const left = await talk.stores.query('SELECT name FROM api_keys WHERE person_id = $1 ORDER BY name', [
        personId,
      ]);
      expect(left.map(({ name }) => name)).toEqual([
        'a key that was revoked',
        'ended lately',
        'of an operator',
      ]);
    });

    it('drops the times of private talk when nothing that was said then can come any more', async () => {
      const { personId } = await talk.place();
      await talk.stores.query(
        `UPDATE people SET private_from = now(), private_ended = tstzmultirange(
           tstzrange(now() - interval '3 h', now() - interval '2 h'), tstzrange(now() - interval '1 h', now()))
         WHERE person_id = $1`,
        [personId],
      );
      const { retention } = retentionWith({});
      const kept = async () => {
        const [row] = await talk.stores.query(
          `SELECT (SELECT count(*)::int FROM unnest(private_ended)) AS ended, private_from IS NOT NULL AS lasts
           FROM people WHERE person_id = $1`,
          [personId],
        );
        return row;
      };
      await retention.run(inDays(29));
      expect(await kept()).toEqual({ ended: 2, lasts: true });
      await retention.run(new Date(inDays(30).getTime() - 5_400_000));
      expect(await kept()).toEqual({ ended: 1, lasts: true });
      await retention.run(inDays(31));
      expect(await kept()).toEqual({ ended: 0, lasts: true });
    });
  });
}
