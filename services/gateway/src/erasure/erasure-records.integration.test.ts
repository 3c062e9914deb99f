import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { formatApiKey, writeTimeCursor } from '@kith/contracts';
import type { Database } from '@kith/database';
import { ErasureRecords, viewErasure } from './erasure-records.js';
import { deleteSharedLines } from '../redaction/delete-shared-lines.js';
import { ApiKeys } from '../people/api-keys.js';
import { Identities } from '../people/identities.js';
import { OperatorKey } from '../people/operator-key.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { Conversations, type Speaker } from '../conversations/conversations.js';
import { NOTHING_MADE, answered, broadcasts, marks, usageOf, withTalk } from '../e2e/talk.js';

const talk = withTalk();

describe('a person who is erased', () => {
  const records = () => new ErasureRecords(talk.database, marks);

  /** Says something that is answered so. */
  async function answer(where: Speaker, text: string, reply: string): Promise<string> {
    await talk.say(where, { text });
    const turn = { ...answered(), reply };
    await commitTurn(talk.database, await talk.claim(where), turn, true);
    return turn.turnId;
  }

  /** Has lines of a place that hold a word forgotten, each by whom it is of, so that this can be undone. */
  async function seal({ conversationId }: Speaker, word: string): Promise<void> {
    await talk.stores.query(
      `WITH taken AS (
         SELECT id, person_id, text FROM transcript WHERE conversation_id = $1 AND position($2 IN text) > 0
       ), sealed AS (
         INSERT INTO sealed_lines (order_id, line_id, person_id, text, until)
         SELECT person_id, id, person_id, text, now() + interval '10 minutes' FROM taken
       )
       UPDATE transcript SET text = '', withheld = 'forgotten' FROM taken WHERE transcript.id = taken.id`,
      [conversationId, word],
    );
  }

  /** Puts back what was forgotten of somebody's lines. */
  async function unseal({ personId }: Speaker): Promise<void> {
    await talk.stores.query(
      `UPDATE transcript AS line SET text = sealed.text, withheld = NULL FROM sealed_lines AS sealed
       WHERE sealed.line_id = line.id AND line.withheld = 'forgotten' AND sealed.person_id = $1`,
      [personId],
    );
  }

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

  it('while a message of theirs is accepted: it waits for the erasure, and not each for the other', async () => {
    const where = await talk.place();
    const begun: Promise<unknown>[] = [];
    await talk.database.write('system', async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM people WHERE person_id = ${where.personId}::uuid FOR UPDATE`;
      // It holds the lock of the erasure by then, and has not deleted the conversation yet.
      begun.push(records().begin(where.personId, 'person'));
      await talk.someoneWaits();
      begun.push(talk.accept(where, 'late'));
      await talk.someoneWaits(2);
      // The erasure will want this row.
      await tx.$queryRaw`
        SELECT 1 FROM conversations WHERE conversation_id = ${where.conversationId}::uuid FOR UPDATE NOWAIT`;
    });
    const [erased, accepted] = await Promise.allSettled(begun);
    expect(erased).toEqual({ status: 'fulfilled', value: [] });
    expect(accepted).toMatchObject({ status: 'rejected', reason: { details: { erased: true } } });
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
    await records().eraseRest(where.personId, NOTHING_MADE);
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

  it('takes along what replies to others in a channel repeat, also of a turn that is under way', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await answer(ann, 'My word is zebra77.', 'I see.');
    const repeated = await answer(bob, 'Which word did she say?', 'It was zebra77.');
    const others = await answer(bob, 'And who are you?', 'I am Mira.');
    await talk.accept(bob, randomUUID());
    const claim = await talk.claim(bob);
    await records().begin(ann.personId, 'person');
    await records().eraseRest(ann.personId, NOTHING_MADE);
    const late = { ...answered(), reply: 'As I said: zebra77.' };
    await commitTurn(talk.database, claim, late, true);
    const rows = await talk.rowsOf('transcript', 'turn_id, text', ann);
    expect(rows).toEqual([
      { turn_id: repeated, text: 'Which word did she say?' },
      { turn_id: repeated, text: '' },
      { turn_id: others, text: 'And who are you?' },
      { turn_id: others, text: 'I am Mira.' },
      { turn_id: late.turnId, text: 'hello' },
      { turn_id: late.turnId, text: '' },
    ]);
  });

  it('has what was made of such replies forgotten, also in a second go, and not of what can be brought back', async () => {
    const [ann, bob, cyn] = (await talk.channelOf(3)) as [Speaker, Speaker, Speaker];
    await answer(ann, 'My word is zebra76.', 'I see.');
    const repeated = await answer(bob, 'Which word did she say?', 'It was zebra76.');
    await answer(cyn, 'And the weather?', 'Cloudy otter76.');
    await seal(cyn, 'otter76');
    await records().begin(ann.personId, 'person');
    const asked: string[][] = [];
    const made = (isDown: boolean) => ({
      ...NOTHING_MADE,
      forgetReplies: async (_: string, turnIds: string[]) => {
        asked.push(turnIds);
        if (isDown) throw new Error('away');
      },
    });
    await expect(records().eraseRest(ann.personId, made(true))).rejects.toThrow('away');
    await records().eraseRest(ann.personId, made(false));
    expect(asked).toEqual([[repeated], [repeated]]);
    const left = await talk.stores.query('SELECT 1 FROM transcript WHERE person_id = $1', [ann.personId]);
    expect(left).toEqual([]);
  });

  it('again after a restore: what their withheld lines said is found in replies to others', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await answer(ann, 'My word is zebra78.', 'I see.');
    await answer(bob, 'Which word did she say?', 'It was zebra78.');
    await talk.stores.query(`UPDATE transcript SET withheld = 'forgotten' WHERE person_id = $1`, [
      ann.personId,
    ]);
    await records().eraseRest(ann.personId, NOTHING_MADE);
    const rows = await talk.rowsOf('transcript', 'text', ann);
    expect(rows).toEqual([{ text: 'Which word did she say?' }, { text: '' }]);
  });

  it('leaves their revoked keys revoked, also one that the settings still name', async () => {
    const keys = new ApiKeys(talk.database, broadcasts);
    const key = formatApiKey(randomBytes(32));
    const own = new OperatorKey(talk.database, { bootstrapKey: key, ownerName: 'Owner' });
    await own.ensure();
    const { keyId, personId } = await keys.authenticate(key, new Date());
    await keys.create({ owner: { personId }, name: 'other', scopes: ['admin'], expiresAt: null });
    await keys.revoke(keyId, new Date());
    // As after a restore.
    await talk.stores.query('INSERT INTO revoked_keys SELECT hash FROM api_keys WHERE id = $1', [keyId]);
    await records().begin(personId, 'person');
    expect(await own.ensure()).toBe(false);
    await expect(keys.authenticate(key, new Date())).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('leaves no seal of a reply to another that repeats what they had just forgotten', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await answer(ann, 'My word is zebra79.', 'I see.');
    await answer(bob, 'Which word did she say?', 'It was zebra79.');
    await seal(ann, 'zebra79');
    await records().eraseRest(ann.personId, NOTHING_MADE);
    expect(await talk.stores.query(`SELECT 1 FROM sealed_lines WHERE text ~ 'zebra79'`)).toEqual([]);
  });

  it('leaves no seal of a reply to them, which another had forgotten', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await answer(ann, 'My boat is Zephyrine.', 'A fine boat.');
    const turnId = await answer(bob, 'My word is zebra80.', 'Zephyrine, meet zebra80.');
    await talk.stores.query(
      `WITH taken AS (
         UPDATE transcript SET text = '', withheld = 'forgotten' WHERE turn_id = $1 AND role = 'companion' RETURNING id)
       INSERT INTO sealed_lines (order_id, line_id, person_id, text, until)
       SELECT $2::uuid, id, $2::uuid, 'Zephyrine, meet zebra80.', now() + interval '10 minutes' FROM taken`,
      [turnId, ann.personId],
    );
    await records().eraseRest(bob.personId, NOTHING_MADE);
    expect(await talk.stores.query(`SELECT 1 FROM sealed_lines WHERE text ~ 'zebra80'`)).toEqual([]);
  });

  it('leaves no reply that repeats them, whichever step of it another undoes theirs behind', async () => {
    for (let step = 1; ; step += 1) {
      const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
      await answer(ann, 'My word is zebra80.', 'I see.');
      await answer(bob, 'Which word did she say?', 'It was zebra80.');
      await seal(bob, 'It was zebra80');
      let steps = 0;
      const database: Pick<Database, 'asSystem' | 'writer'> = {
        writer: (scope) => talk.database.writer(scope),
        asSystem: async (work) => {
          const done = await talk.database.asSystem(work);
          steps += 1;
          if (steps === step) await unseal(bob);
          return done;
        },
      };
      await deleteSharedLines(database, ann.personId, NOTHING_MADE);
      await unseal(bob);
      const told = await talk.stores.query(
        `SELECT text FROM transcript WHERE conversation_id = $1 AND text <> ''`,
        [bob.conversationId],
      );
      expect(told).toEqual([{ text: 'Which word did she say?' }]);
      if (steps < step) break;
    }
  });

  it('is listed once, also where many were in one moment', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const askedAt = new Date('2199-01-01T00:00:00Z');
    await talk.stores.query(
      `INSERT INTO erasures (erased_id, asked_by, asked_at, finished_at)
       SELECT id, 'operator', $2, $2 FROM unnest($1::uuid[]) AS erased (id)`,
      [ids, askedAt],
    );
    const first = await records().page(2, undefined);
    const cursor = writeTimeCursor({ at: askedAt, id: first[1]!.erasedId });
    const [next] = await records().page(1, cursor);
    const listed = [...first, next!].map(({ erasedId }) => erasedId);
    expect(listed).toEqual(ids.toSorted().toReversed());
  });

  it('there never was is not found, and no tombstone is set', async () => {
    const nobody = randomUUID();
    await expect(records().begin(nobody, 'operator')).rejects.toMatchObject({ code: 'not_found' });
    expect(await records().find(nobody)).toBeNull();
  });

  it('and writes again with the same account is somebody new, in a conversation of their own', async () => {
    const identities = new Identities(talk.database, broadcasts, marks);
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
