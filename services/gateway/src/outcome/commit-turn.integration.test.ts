import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { claimBurst } from '../inbox/claim-burst.js';
import { commitTurn, dropMessages } from './commit-turn.js';
import { answered, LIMITS, usageOf, withTalk } from '../e2e/talk.js';

const talk = withTalk();

describe('an outcome', () => {
  it('is refused of a worker that lost its lease, and nothing of it is kept', async () => {
    const where = await talk.place();
    await talk.accept(where, 'a');
    const slow = await talk.claim(where);
    await talk.stores.query(
      `UPDATE inbox SET lease_until = now() - interval '1 second' WHERE conversation_id = $1`,
      [where.conversationId],
    );
    const fast = await talk.claim(where);
    await expect(commitTurn(talk.database, slow, answered(), false)).rejects.toMatchObject({
      reason: 'lease-lost',
    });
    await dropMessages(talk.database, slow);
    expect(await talk.rowsOf('turns', '1', where)).toEqual([]);
    await commitTurn(talk.database, fast, answered(), false);
    expect(await talk.rowsOf('turns', '1', where)).toHaveLength(1);
    expect(await talk.rowsOf('inbox', 'outcome', where)).toEqual([{ outcome: 'answered' }]);
  });

  it.each([
    { id: 'a', change: 'lease_token = lease_token + 1', reason: 'lease-lost' },
    { id: 'b', change: 'revision = revision + 1', reason: 'revised' },
  ])(
    'is refused where just then “$change” comes to be of $id of its burst',
    async ({ id, change, reason }) => {
      const where = await talk.place();
      await talk.accept(where, 'a');
      await talk.accept(where, 'b');
      const claim = await talk.claim(where);
      const { refused } = await talk.database.asSystem(async (tx) => {
        await tx.$executeRawUnsafe(
          `UPDATE inbox SET ${change} WHERE conversation_id = $1::uuid AND external_id = $2`,
          where.conversationId,
          id,
        );
        const commit = commitTurn(talk.database, claim, answered(), false);
        const refused = expect(commit).rejects.toMatchObject({ reason });
        const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
        await eventually('the commit waits', async () => (await talk.stores.query(waiting)).length > 0);
        return { refused };
      });
      await refused;
      expect(await talk.rowsOf('transcript', '1', where)).toEqual([]);
    },
  );

  it('commits turn, transcript, outbox, usage and the inbox’s outcome together', async () => {
    const where = await talk.place();
    await talk.accept(where, 'a');
    await talk.accept(where, 'b');
    const { outboxId, more } = await commitTurn(talk.database, await talk.claim(where), answered(), false, [
      usageOf(where),
    ]);
    const count = async (table: string) =>
      (await talk.stores.query(`SELECT 1 FROM ${table} WHERE conversation_id = $1`, [where.conversationId]))
        .length;
    expect(outboxId).not.toBeNull();
    expect(more).toBe(false);
    expect(await Promise.all(['turns', 'transcript', 'outbox', 'usage'].map(count))).toEqual([1, 3, 1, 1]);
    const inbox = await talk.rowsOf('inbox', 'outcome', where);
    expect(inbox).toEqual([{ outcome: 'answered' }, { outcome: 'answered' }]);
    expect(await claimBurst(talk.turnStores, where, LIMITS)).toEqual({ kind: 'nothing' });
  });
});

describe('what a message refers to', () => {
  it('is there for its turn, and gone with its outcome', async () => {
    const where = await talk.place();
    const quote = { name: 'Ben', text: 'I like \0 rain' };
    await talk.say(where, { externalId: 'reply', text: 'me too', target: null, quote });
    const claimed = await talk.claim(where);
    expect(claimed.burst[0]!.quote).toEqual({ name: 'Ben', text: expect.stringContaining('rain') });
    await commitTurn(talk.database, claimed, answered(), false);
    const rows = await talk.rowsOf('inbox', 'quote', where);
    expect(rows).toEqual([{ quote: null }]);
  });
});

describe('an outcome whose commit was not heard of', () => {
  it('is committed once, however often it is tried again', async () => {
    const where = await talk.place();
    await talk.accept(where, 'a');
    const mine = await talk.claim(where);
    const turn = answered();
    const first = await commitTurn(talk.database, mine, turn, false);
    expect(await commitTurn(talk.database, mine, turn, false)).toEqual(first);
    const rows = await talk.rowsOf('outbox', '1', where);
    expect(rows).toHaveLength(1);
  });

  it('is known again after another worker has claimed what came since', async () => {
    const where = await talk.place();
    await talk.accept(where, 'a');
    const mine = await talk.claim(where);
    const turn = answered();
    const { outboxId } = await commitTurn(talk.database, mine, turn, false);
    await talk.accept(where, 'b');
    const next = await talk.claim(where);
    expect(await commitTurn(talk.database, mine, turn, false)).toEqual({ outboxId, more: true });
    expect(await commitTurn(talk.database, next, answered(), false)).toMatchObject({ more: false });
  });
});
