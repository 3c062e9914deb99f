import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ErasureRecords, viewErasure } from './erasure-records.js';
import { Identities } from '../people/identities.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { Conversations } from '../conversations/conversations.js';
import { answered, broadcasts, usageOf, withTalk } from '../e2e/talk.js';

const talk = withTalk();

describe('a person who is erased', () => {
  const records = () => new ErasureRecords(talk.database);

  it('while a turn is under way: it comes to nothing, and what waited has its outcome', async () => {
    const where = await talk.place();
    await talk.accept(where, 'under-way');
    const claimed = await talk.claim(where);
    const late = await talk.accept(where, 'waits');
    const dropped = await records().begin(where.personId, 'person');
    expect(dropped!.map(({ externalId }) => externalId).toSorted()).toEqual(['under-way', 'waits']);
    const rows = await talk.stores.query('SELECT outcome, outcome_reason FROM inbox WHERE id = $1', [
      late.inboxId,
    ]);
    expect(rows).toEqual([{ outcome: 'dropped', outcome_reason: 'erased' }]);
    await expect(commitTurn(talk.database, claimed, answered(), true)).rejects.toThrow('interrupted');
    await expect(talk.accept(where, 'later')).rejects.toMatchObject({ details: { erased: true } });
    expect(await records().begin(where.personId, 'operator')).toBeNull();
  });

  it('leaves what was spent, and nothing that says on whom', async () => {
    const where = await talk.place();
    const others = await talk.place();
    for (const place of [where, others]) {
      await talk.accept(place, 'said');
      await commitTurn(talk.database, await talk.claim(place), answered(), true, [usageOf(place)]);
    }
    const spent = () =>
      talk.stores.query(
        'SELECT sum(prompt_tokens)::int AS tokens, count(person_id)::int AS people FROM usage',
      );
    const [before] = await spent();
    await records().begin(where.personId, 'operator');
    await records().eraseRest(where.personId);
    await expect(records().holdings(where.personId)).rejects.toMatchObject({ code: 'not_found' });
    const [after] = await spent();
    expect(after).toEqual({ tokens: before!['tokens'], people: (before!['people'] as number) - 1 });
    expect(await records().holdings(others.personId)).toMatchObject({ inbox: 1, turns: 1, people: 1 });
    // Counted once: what a try that was broken off has left is less.
    await records().noteCounts(where.personId, 'memory', { memories: 5 });
    await records().noteCounts(where.personId, 'memory', { memories: 2 });
    await records().finish(where.personId, new Date());
    const receipt = viewErasure((await records().find(where.personId))!);
    expect(receipt).toMatchObject({
      askedBy: 'operator',
      stores: { gateway: { inbox: 1, transcript: 2, people: 1, identities: 1 }, memory: { memories: 5 } },
      finishedAt: expect.any(String),
    });
  });

  it('there never was is not found, and no tombstone is set', async () => {
    const nobody = randomUUID();
    await expect(records().begin(nobody, 'operator')).rejects.toMatchObject({ code: 'not_found' });
    expect(await records().find(nobody)).toBeNull();
  });

  it('and writes again with the same account is somebody new, in a conversation of their own', async () => {
    const identities = new Identities(talk.database, broadcasts);
    const conversations = new Conversations(talk.database);
    const account = { door: 'discord' as const, subject: randomUUID(), displayName: 'Ann' };
    const dm = (personId: string) =>
      conversations.idOf({
        companionId: 'mira',
        door: 'discord',
        externalId: account.subject,
        kind: 'direct',
        personId,
      });
    const { personId } = await identities.resolve(account);
    const conversationId = await dm(personId);
    await records().begin(personId, 'person');
    identities.forget(personId);
    const again = await identities.resolve(account);
    expect(again.personId).not.toBe(personId);
    expect(await dm(again.personId)).not.toBe(conversationId);
  });
});
