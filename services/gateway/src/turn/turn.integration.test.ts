import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Audience,
  isErased,
  memoryContract,
  outreachContract,
  personalityContract,
  type RecalledMemory,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Broadcasts, Neighbours } from '@kith/messaging';
import { freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { ErasureRecords, viewErasure } from '../erasure/erasure-records.js';
import { LeftReplies } from '../forgetting/left-replies.js';
import { reviseLine } from '../forgetting/revise-line.js';
import { ApiKeys } from '../people/api-keys.js';
import { Identities } from '../people/identities.js';
import { Retention } from '../retention/retention.service.js';
import { acceptMessage } from './accept-message.js';
import {
  claimConversation,
  releaseLease,
  renewLease,
  type Claim,
  type Speaker,
} from './claim-conversation.js';
import { commitTurn, isOvertaken, type FinishedTurn } from './commit-turn.js';
import { Conversations } from './conversations.js';
import { TurnInterrupted } from './interruptions.js';
import { readExchanges, viewTurn } from './read-turns.js';
import { stopMessages } from './revise-message.js';

let stores: FreshStores;
let database: Database;
const broadcasts = new Broadcasts({ redisUrl: '', service: 'gateway', neighbours: new Neighbours() });

beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 5 });
});
afterAll(async () => {
  await database.close();
  await stores.stop();
});

async function place(): Promise<{ conversationId: string; personId: string }> {
  const subject = randomUUID();
  const { personId } = await new Identities(database, broadcasts).resolve({
    door: 'discord',
    subject,
    displayName: 'Ann',
  });
  const conversationId = await new Conversations(database).idOf({
    companionId: 'mira',
    door: 'discord',
    externalId: subject,
    kind: 'direct',
    personId,
  });
  return { conversationId, personId };
}

function accept(where: { conversationId: string; personId: string }, externalId: string, mayClaim = false) {
  const target = { userId: '1', channelId: '2' };
  const sentAt = new Date();
  const message = { ...where, door: 'discord' as const, externalId, target, sentAt };
  return acceptMessage(database, { ...message, origin: 'message', text: 'hello' }, mayClaim);
}

async function claim(speaker: Speaker): Promise<Claim> {
  const result = await claimConversation(database, speaker, 0);
  if (result.kind !== 'claimed') throw new Error(`not claimed: ${result.kind}`);
  return result.claim;
}

function answered(): FinishedTurn {
  const now = new Date();
  return {
    turnId: randomUUID(),
    outcome: 'answered',
    reason: null,
    reply: 'hi Ann',
    personName: 'Ann',
    companionName: 'Mira',
    model: 'test',
    rehearsal: false,
    degraded: [],
    usage: { model: 'test', promptTokens: 10, completionTokens: 2 },
    recalled: [],
    mood: null,
    details: {},
    startedAt: now,
    endedAt: now,
  };
}

describe('accepting', () => {
  it('keeps a message once, however often it is delivered', async () => {
    const where = await place();
    const results = await Promise.all([1, 2, 3, 4].map(() => accept(where, 'same')));
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(results.map(({ inboxId }) => inboxId)).size).toBe(1);
  });

  it('numbers the messages of a conversation in the order in which they can be seen', async () => {
    const where = await place();
    const ids = async () => {
      const rows = await stores.query<{ id: string }>('SELECT id FROM inbox WHERE conversation_id = $1', [
        where.conversationId,
      ]);
      return new Set(rows.map(({ id }) => Number(id)));
    };
    const snapshots: Set<number>[] = [];
    let accepting = true;
    const looking = (async () => {
      while (accepting) snapshots.push(await ids());
    })();
    await Promise.all(Array.from({ length: 200 }, (_, n) => accept(where, `m${n}`)));
    accepting = false;
    await looking;
    const all = [...(await ids())];
    // A worker that saw a message saw every earlier one too, or it would answer out of order.
    for (const seen of snapshots) {
      const newest = Math.max(...seen);
      expect(all.filter((id) => id < newest && !seen.has(id))).toEqual([]);
    }
  });

  it('claims a speaker’s only open message with its acceptance, as a worker would', async () => {
    const where = await place();
    const { claim: own, waiting } = await accept(where, 'first', true);
    expect([own?.leaseToken, own?.burst.map(({ externalId }) => externalId), waiting]).toEqual([
      1,
      ['first'],
      0,
    ]);
    expect(await claimConversation(database, where, 0)).toEqual({ kind: 'busy' });
    expect((await accept(where, 'second', true)).claim).toBeNull();
    expect((await accept(where, 'first', true)).claim).toBeNull();
    const { more } = await commitTurn(database, own!, answered(), false);
    expect(more).toBe(true);
    const next = await claim(where);
    expect(next.burst.map(({ externalId }) => externalId)).toEqual(['second']);
    const { companionId, audience, kind, retold } = next;
    expect(own).toMatchObject({ companionId, audience, kind, retold });
  });

  it('gives what it claimed to another worker once the lease has run out, and refuses the first one’s outcome', async () => {
    const where = await place();
    const { claim: lost } = await accept(where, 'first', true);
    await stores.query(`UPDATE inbox SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      String(lost!.burst[0]!.id),
    ]);
    const found = await claim(where);
    expect([found.leaseToken, found.burst[0]!.attempts]).toEqual([2, 1]);
    await expect(commitTurn(database, lost!, answered(), false)).rejects.toThrow(TurnInterrupted);
    await commitTurn(database, found, answered(), false);
  });

  it('claims one of many messages of a speaker that come at once, the first', async () => {
    const where = await place();
    const accepted = await Promise.all(Array.from({ length: 20 }, (_, n) => accept(where, `m${n}`, true)));
    const claims = accepted.flatMap((one) => one.claim ?? []);
    expect(claims).toHaveLength(1);
    const first = Math.min(...accepted.map(({ inboxId }) => Number(inboxId)));
    expect(Number(claims[0]!.burst[0]!.id)).toBe(first);
  });

  it('makes one person of an account that speaks twice at once', async () => {
    const account = { door: 'discord' as const, subject: randomUUID(), displayName: 'Ben' };
    const people = await Promise.all(
      [1, 2, 3].map(() => new Identities(database, broadcasts).resolve(account)),
    );
    expect(new Set(people.map(({ personId }) => personId)).size).toBe(1);
  });
});

describe('the lease', () => {
  it('goes to one of several workers', async () => {
    const where = await place();
    await accept(where, 'a');
    const results = await Promise.all([1, 2, 3].map(() => claimConversation(database, where, 0)));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['busy', 'busy', 'claimed']);
  });

  it('refuses the commit of a worker that lost it, and keeps nothing of it', async () => {
    const where = await place();
    await accept(where, 'a');
    const slow = await claim(where);
    await stores.query(
      `UPDATE inbox SET lease_until = now() - interval '1 second' WHERE conversation_id = $1`,
      [where.conversationId],
    );
    const fast = await claim(where);
    await expect(commitTurn(database, slow, answered(), false)).rejects.toMatchObject({
      reason: 'lease-lost',
    });
    expect(
      await stores.query('SELECT 1 FROM turns WHERE conversation_id = $1', [where.conversationId]),
    ).toEqual([]);
    await commitTurn(database, fast, answered(), false);
    expect(
      await stores.query('SELECT 1 FROM turns WHERE conversation_id = $1', [where.conversationId]),
    ).toHaveLength(1);
  });
});

describe('people who speak at once in a channel', () => {
  async function channelOf(count: number): Promise<Speaker[]> {
    const people = await Promise.all(Array.from({ length: count }, () => place()));
    const conversationId = await new Conversations(database).idOf({
      ...{ companionId: 'mira', door: 'discord', kind: 'channel', externalId: randomUUID(), personId: null },
    });
    return people.map(({ personId }) => ({ conversationId, personId }));
  }

  it('have a turn each under way at the same time, and each their own next message after it', async () => {
    const speakers = await channelOf(2);
    const [ann, ben] = speakers as [Speaker, Speaker];
    await accept(ann, 'ann 1');
    const mine = await claim(ann);
    await accept(ben, 'ben 1');
    await accept(ann, 'ann 2');
    expect(await claimConversation(database, ann, 0)).toEqual({ kind: 'busy' });
    const bens = await claim(ben);
    expect(bens.burst.map(({ externalId }) => externalId)).toEqual(['ben 1']);
    // Ben's outcome does not wait for Ann's, and says nothing of what she still waits for.
    expect(await commitTurn(database, bens, answered(), true)).toMatchObject({ more: false });
    expect(await commitTurn(database, mine, answered(), false)).toMatchObject({ more: true });
    expect((await claim(ann)).burst.map(({ externalId }) => externalId)).toEqual(['ann 2']);
  });

  it.each(['with its acceptance', 'by a worker'])(
    'are told all that was said there, oldest first, but for what was private of others: claimed %s',
    async (how) => {
      const [ann, ben] = (await channelOf(2)) as [Speaker, Speaker];
      for (const [speaker, id] of [
        [ann, 'ann 1'],
        [ben, 'ben 1'],
        [ben, 'ben 2'],
      ] as const) {
        await accept(speaker, id);
        await commitTurn(database, await claim(speaker), answered(), false);
      }
      await stores.query(
        `UPDATE transcript SET withheld = 'private' WHERE external_id IN ('ann 1', 'ben 1')`,
      );
      const { claim: own } = await accept(ann, 'ann 2', how === 'with its acceptance');
      const { earlier } = own ?? (await claim(ann));
      const lines = earlier.map(({ role, externalId }) => externalId ?? role);
      expect(lines).toEqual(['ann 1', 'companion', 'companion', 'ben 2', 'companion']);
    },
  );

  it('are not overtaken by each other, and lose no lease to each other', async () => {
    const [ann, ben] = (await channelOf(2)) as [Speaker, Speaker];
    await accept(ann, 'ann 1');
    const mine = await claim(ann);
    await accept(ben, 'ben 1');
    expect(await isOvertaken(database, mine)).toBe(false);
    await claim(ben);
    expect(await renewLease(database, mine)).toBe(true);
    await expect(commitTurn(database, mine, answered(), true)).resolves.toMatchObject({ more: false });
  });

  it('find what they said and what was answered side by side in the transcript, however they end', async () => {
    const speakers = await channelOf(12);
    await Promise.all(speakers.map((speaker, n) => accept(speaker, `m${n}`)));
    const claims = await Promise.all(speakers.map((speaker) => claim(speaker)));
    await Promise.all(claims.map((one) => commitTurn(database, one, answered(), false)));
    const rows = await stores.query<{ turn_id: string; role: string }>(
      'SELECT turn_id, role FROM transcript WHERE conversation_id = $1 ORDER BY id',
      [speakers[0]!.conversationId],
    );
    expect(rows).toHaveLength(24);
    for (let at = 0; at < rows.length; at += 2) {
      expect([rows[at]!.role, rows[at + 1]!.role]).toEqual(['person', 'companion']);
      expect(rows[at]!.turn_id).toBe(rows[at + 1]!.turn_id);
    }
  });

  it('are claimed and ended without a deadlock while they write on, stop and are erased', async () => {
    const speakers = await channelOf(6);
    const busy = speakers.flatMap((speaker, n) => [
      ...Array.from({ length: 10 }, (_, m) => accept(speaker, `m${n} ${m}`)),
      ...Array.from({ length: 10 }, () => answerNext(speaker)),
      stopMessages(database, { ...speaker, at: new Date() }),
    ]);
    const erased = speakers[0]!.personId;
    const erasing = new ErasureRecords(database).begin(erased, 'person');
    const results = await Promise.allSettled([...busy, erasing]);
    const failed = results.flatMap((one) =>
      one.status === 'rejected' && !isErased(one.reason) ? [one] : [],
    );
    expect(failed.map(({ reason }) => String(reason))).toEqual([]);
    for (const speaker of speakers) while (await answerNext(speaker));
    const open = await stores.query('SELECT 1 FROM inbox WHERE conversation_id = $1 AND outcome IS NULL', [
      speakers[0]!.conversationId,
    ]);
    expect(open).toEqual([]);
  });

  /** One turn, as a worker takes it. Returns whether there was one. */
  async function answerNext(speaker: Speaker): Promise<boolean> {
    const result = await claimConversation(database, speaker, 0);
    if (result.kind !== 'claimed') return false;
    try {
      await commitTurn(database, result.claim, answered(), false);
    } catch (error) {
      // Stopped or erased meanwhile.
      if (!(error instanceof TurnInterrupted) && !isErased(error)) throw error;
      await releaseLease(database, result.claim, 'interrupted');
    }
    return true;
  }
});

describe('an outcome', () => {
  it('commits turn, transcript, outbox, usage and the inbox’s outcome together', async () => {
    const where = await place();
    await accept(where, 'a');
    await accept(where, 'b');
    const { outboxId, more } = await commitTurn(database, await claim(where), answered(), false);
    const count = async (table: string) =>
      (await stores.query(`SELECT 1 FROM ${table} WHERE conversation_id = $1`, [where.conversationId]))
        .length;
    expect(outboxId).not.toBeNull();
    expect(more).toBe(false);
    expect(await Promise.all(['turns', 'transcript', 'outbox', 'usage'].map(count))).toEqual([1, 3, 1, 1]);
    const inbox = await stores.query('SELECT outcome FROM inbox WHERE conversation_id = $1', [
      where.conversationId,
    ]);
    expect(inbox).toEqual([{ outcome: 'answered' }, { outcome: 'answered' }]);
    expect(await claimConversation(database, where, 0)).toEqual({ kind: 'nothing' });
  });
});

describe('what a message refers to', () => {
  it('is there for its turn, and gone with its outcome', async () => {
    const where = await place();
    const quote = { name: 'Ben', text: 'I like \0 rain' };
    await acceptMessage(database, {
      ...{ ...where, door: 'discord', externalId: 'reply', origin: 'message', text: 'me too' },
      ...{ target: null, sentAt: new Date(), quote },
    });
    const claimed = await claim(where);
    expect(claimed.burst[0]!.quote).toEqual({ name: 'Ben', text: expect.stringContaining('rain') });
    await commitTurn(database, claimed, answered(), false);
    const rows = await stores.query('SELECT quote FROM inbox WHERE conversation_id = $1', [
      where.conversationId,
    ]);
    expect(rows).toEqual([{ quote: null }]);
  });
});

describe('what the companion said right before', () => {
  it('is told of a turn when it was meant for whoever began that', async () => {
    const where = await place();
    const speak = async (personId: string, reply: string): Promise<string> => {
      const speaker = { ...where, personId };
      await accept(speaker, randomUUID());
      const turn = { ...answered(), reply };
      await commitTurn(database, await claim(speaker), turn, false);
      return turn.turnId;
    };
    const { personId: other } = await place();
    const first = await speak(where.personId, 'Do you like jazz?');
    const second = await speak(where.personId, 'Nice.');
    const third = await speak(other, 'And you?');
    const exchanges = await readExchanges(database, [first, second, third]);
    const of = (id: string) => exchanges.find(({ turnId }) => turnId === id);
    expect(of(second)).toEqual({
      ...{ turnId: second, reply: 'Nice.', recalled: [] },
      before: { text: 'Do you like jazz?', at: expect.any(String) },
    });
    expect([of(first), of(third)].map((exchange) => exchange?.before)).toEqual([null, null]);
  });
});

describe('an outcome whose commit was not heard of', () => {
  it('is committed once, however often it is tried again', async () => {
    const where = await place();
    await accept(where, 'a');
    const mine = await claim(where);
    const turn = answered();
    const first = await commitTurn(database, mine, turn, false);
    expect(await commitTurn(database, mine, turn, false)).toEqual(first);
    const rows = await stores.query('SELECT 1 FROM outbox WHERE conversation_id = $1', [
      where.conversationId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is known again after another worker has claimed what came since', async () => {
    const where = await place();
    await accept(where, 'a');
    const mine = await claim(where);
    const turn = answered();
    const { outboxId } = await commitTurn(database, mine, turn, false);
    await accept(where, 'b');
    const next = await claim(where);
    expect(await commitTurn(database, mine, turn, false)).toEqual({ outboxId, more: true });
    expect(await commitTurn(database, next, answered(), false)).toMatchObject({ more: false });
  });
});

describe('an API key', () => {
  it('is found by its hash, kept nowhere itself, and ends when revoked or expired', async () => {
    const keys = new ApiKeys(database, broadcasts);
    const made = await keys.create({
      owner: { newPerson: 'Cy' },
      name: 'test',
      scopes: ['chat'],
      expiresAt: null,
    });
    const now = new Date();
    expect(await keys.authenticate(made.key, now)).toMatchObject({ displayName: 'Cy', scopes: ['chat'] });
    expect(JSON.stringify(await stores.query('SELECT * FROM api_keys'))).not.toContain(made.key.slice(4, 40));
    await keys.revoke(made.id, now);
    const listed = await keys.list({ person: made.personId, limit: 10 });
    expect(listed).toMatchObject({
      keys: [{ id: made.id, displayName: 'Cy', revokedAt: now.toISOString() }],
    });
    await expect(keys.authenticate(made.key, now)).rejects.toMatchObject({ code: 'unauthorized' });
    const old = await keys.create({
      owner: { personId: made.personId },
      name: 'old',
      scopes: ['chat'],
      expiresAt: new Date(now.getTime() - 1),
    });
    await expect(keys.authenticate(old.key, now)).rejects.toThrow(/expired/);
  });
});

describe('a person who is erased', () => {
  const records = () => new ErasureRecords(database);

  it('while a turn is under way: it comes to nothing, and what waited has its outcome', async () => {
    const where = await place();
    await accept(where, 'under-way');
    const claimed = await claim(where);
    const late = await accept(where, 'waits');
    const dropped = await records().begin(where.personId, 'person');
    expect(dropped!.map(({ externalId }) => externalId).toSorted()).toEqual(['under-way', 'waits']);
    const rows = await stores.query('SELECT outcome, outcome_reason FROM inbox WHERE id = $1', [
      late.inboxId,
    ]);
    expect(rows).toEqual([{ outcome: 'dropped', outcome_reason: 'erased' }]);
    await expect(commitTurn(database, claimed, answered(), true)).rejects.toThrow('interrupted');
    await expect(accept(where, 'later')).rejects.toMatchObject({ details: { erased: true } });
    expect(await records().begin(where.personId, 'operator')).toBeNull();
  });

  it('leaves what was spent, and nothing that says on whom', async () => {
    const where = await place();
    const others = await place();
    for (const place of [where, others]) {
      await accept(place, 'said');
      await commitTurn(database, await claim(place), answered(), true);
    }
    const spent = () =>
      stores.query('SELECT sum(prompt_tokens)::int AS tokens, count(person_id)::int AS people FROM usage');
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
    const identities = new Identities(database, broadcasts);
    const conversations = new Conversations(database);
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

describe('a message that is deleted at its door', () => {
  it('takes along what replies elsewhere repeat of it, whether it was recalled or stood beside what was', async () => {
    const said = await place();
    const { personId } = said;
    const source = `said-${randomUUID()}`;
    await acceptMessage(database, {
      ...{ ...said, door: 'discord', externalId: source, origin: 'message', text: 'My boat is Zephyrine.' },
      ...{ target: null, sentAt: new Date() },
    });
    await commitTurn(database, await claim(said), answered(), true);
    const conversationId = await new Conversations(database).idOf({
      ...{ companionId: 'mira', door: 'discord', kind: 'direct', externalId: randomUUID(), personId },
    });
    const alsoShown = [{ id: randomUUID(), sources: [source] }];
    for (const [reply, details] of [
      ['Zephyrine sails.', { alsoShown }],
      ['As I said: Zephyrine.', {}],
      ['Nothing of it.', { alsoShown }],
    ] as const) {
      await accept({ conversationId, personId }, `asked-${randomUUID()}`);
      const turn = { ...answered(), reply, details };
      await commitTurn(database, await claim({ conversationId, personId }), turn, true);
    }
    expect(await reviseLine(database, { door: 'discord', messageId: source, text: null })).toHaveLength(1);
    const rows = await stores.query(
      `SELECT text, withheld FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
      [conversationId],
    );
    expect(rows).toEqual([
      { text: '', withheld: 'deleted' },
      { text: '', withheld: 'deleted' },
      { text: 'Nothing of it.', withheld: null },
    ]);
  });
});

describe('retention', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

  it('empties the copies that turns worked with, and leaves the conversation', async () => {
    const retention = retentionWith({ workingTexts: 30, transcript: 60 });
    const where = await place();
    await accept(where, 'old');
    const turn = { ...answered(), details: { recalled: ['words'], gate: 'proceed' } };
    const { outboxId } = await commitTurn(database, await claim(where), turn, true);
    await stores.query(`UPDATE outbox SET status = 'delivered', settled_at = now() WHERE id = $1`, [
      outboxId,
    ]);
    const kept = async () => {
      const [row] = await stores.query(
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

  it('drops what was said in places that the app left, unless it is back', async () => {
    const asked: unknown[] = [];
    let heard: unknown[] = [];
    // The services hear of a place as soon as it is left; what is asked of them by night is looked at here.
    const retention = retentionWith({}, async (contract, request) => {
      const isOfLeaving = [memoryContract, personalityContract, outreachContract].some(
        ({ leavePlaces }) => leavePlaces === contract,
      );
      if (isOfLeaving) heard.push(request);
      else asked.push(request);
    });
    const { personId } = await place();
    const [left, back, again] = await Promise.all(
      [randomUUID(), randomUUID(), randomUUID()].map(async (externalId) => {
        const conversationId = await new Conversations(database).idOf({
          ...{ companionId: 'mira', door: 'discord', kind: 'channel', externalId, personId: null },
        });
        await accept({ conversationId, personId }, `said-${externalId}`);
        const turn = answered();
        await commitTurn(database, await claim({ conversationId, personId }), turn, true);
        return { conversationId, externalId, turnId: turn.turnId };
      }),
    );
    const places = [left, back, again].map((one) => one!.externalId);
    await retention.leave('discord', places, inDays(1));
    await retention.returnTo('discord', places, inDays(0));
    await retention.returnTo('discord', [again!.externalId], inDays(3));
    await stores.query(`UPDATE inbox SET received_at = $1 WHERE conversation_id = $2`, [
      inDays(2),
      back!.conversationId,
    ]);
    const there = async () =>
      (await stores.query('SELECT DISTINCT conversation_id FROM transcript WHERE person_id = $1', [personId]))
        .length;
    await retention.run(inDays(7));
    expect([await there(), asked]).toEqual([3, []]);
    heard = [];
    await retention.run(inDays(9));
    const audience = `channel:discord:${left!.externalId}`;
    expect([await there(), asked]).toEqual([2, [{ audience }, { audience }, { turnIds: [left!.turnId] }]]);
    // From then on there is nothing to hold back.
    expect(heard).toEqual(Array.from({ length: 3 }, () => ({ audiences: [audience], left: false })));
  });

  it('tells nothing of a turn in a place that the app left, until it is back', async () => {
    const retention = retentionWith({});
    const { personId } = await place();
    const externalId = randomUUID();
    const audience: Audience = `channel:discord:${externalId}`;
    const conversationId = await new Conversations(database).idOf({
      ...{ companionId: 'mira', door: 'discord', kind: 'channel', externalId, personId: null },
    });
    await accept({ conversationId, personId }, `said-${externalId}`);
    const there = answered();
    await commitTurn(database, await claim({ conversationId, personId }), there, true);
    // Somewhere else a memory of that place was recalled.
    const elsewhere = await place();
    await accept(elsewhere, `said-${randomUUID()}`);
    const turn = { ...answered(), recalled: [memoryOf(audience), memoryOf('direct')] };
    await commitTurn(database, await claim(elsewhere), turn, true);
    const told = async () => {
      const one = await viewTurn(database, personId, there.turnId);
      const other = await viewTurn(database, elsewhere.personId, turn.turnId);
      return [one.reply, other.recalled.map((memory) => memory.audience)];
    };
    expect(await told()).toEqual(['hi Ann', [audience, 'direct']]);
    await retention.leave('discord', [externalId], inDays(0));
    expect(await told()).toEqual([null, ['direct']]);
    await retention.returnTo('discord', [externalId], inDays(1));
    expect(await told()).toEqual(['hi Ann', [audience, 'direct']]);
  });

  it('holds back what a reply elsewhere repeats of places that the app left, until it is back in all of them', async () => {
    const retention = retentionWith({});
    const dm = await place();
    const { personId } = dm;
    const [one, other] = await Promise.all(
      [randomUUID(), randomUUID()].map(async (externalId): Promise<Audience> => {
        const where = { companionId: 'mira', door: 'discord' as const, kind: 'channel' as const, externalId };
        const conversationId = await new Conversations(database).idOf({ ...where, personId: null });
        await accept({ conversationId, personId }, `said-${externalId}`);
        await commitTurn(database, await claim({ conversationId, personId }), answered(), true);
        return `channel:discord:${externalId}`;
      }),
    );
    const placeOf = (audience: Audience) => audience.split(':')[2]!;
    const recalling = (...audiences: Audience[]) =>
      audiences.map((audience) => ({ ...memoryOf(audience), text: 'My boat is called Zephyrine.' }));
    const sayings: [string, RecalledMemory[]][] = [
      ['Zephyrine sails.', recalling(one!, other!)],
      // Written with that reply in view.
      ['As I said: Zephyrine.', []],
      ['Nothing of it.', recalling(one!)],
    ];
    for (const [reply, recalled] of sayings) {
      await accept(dm, `said-${randomUUID()}`);
      await commitTurn(database, await claim(dm), { ...answered(), reply, recalled }, true);
    }
    const told = async () => {
      const rows = await stores.query<{ text: string; withheld: string | null }>(
        `SELECT text, withheld FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
        [dm.conversationId],
      );
      return rows.map(({ text, withheld }) => withheld ?? text);
    };
    const all = sayings.map(([reply]) => reply);
    expect(await told()).toEqual(all);
    await retention.leave('discord', [placeOf(one!), placeOf(other!)], inDays(0));
    await retention.leave('discord', [placeOf(other!)], inDays(0));
    expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
    await retention.returnTo('discord', [placeOf(one!)], inDays(1));
    expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
    await retention.returnTo('discord', [placeOf(other!)], inDays(1));
    expect(await told()).toEqual(all);
    await retention.leave('discord', [placeOf(one!)], inDays(2));
    await retention.run(inDays(10));
    expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
    const words = await stores.query('SELECT 1 FROM transcript WHERE text LIKE $1 AND conversation_id = $2', [
      '%Zephyrine%',
      dm.conversationId,
    ]);
    expect(words).toEqual([]);
  });

  function memoryOf(audience: Audience): RecalledMemory {
    const at = new Date().toISOString();
    const arms = { denseRank: null, similarity: null, lexicalRank: 1, fused: 1 };
    return {
      ...{ id: randomUUID(), kind: 'episode', text: 'words', audience, writer: 'person', importance: 5 },
      ...{ saidAt: at, createdAt: at, lastRecalledAt: null, timesRecalled: 0, sources: [], speaker: null },
      ...{ conversation: null, fact: null, shelf: 'open', shelfReason: null, pinned: false },
      why: { ...arms, fit: 0, recency: 0, importance: 0, mood: 0, proof: 0, score: 1 },
    };
  }

  function retentionWith(
    days: { workingTexts?: number; transcript?: number },
    ask: (contract: unknown, request: unknown) => Promise<unknown> = async () => undefined,
  ): Retention {
    const keep = { workingTexts: 0, transcript: 0, leftServers: 7, audit: 365, ...days };
    const erasures = { resume: async () => 0 };
    return new Retention(
      database,
      { ask: ask as never, scrubDisk: () => undefined },
      erasures,
      new LeftReplies(database),
      keep,
      pino({ level: 'silent' }),
    );
  }
});
