import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatApiKey, keyRoutes } from '@kith/contracts';
import type { Database } from '@kith/database';
import { Broadcasts } from '@kith/messaging';
import {
  eventually,
  type FreshStores,
  freshDatabase,
  type FreshDatabase,
  ifStarted,
  silentLogger,
} from '@kith/testing';
import { ApiKeys } from './api-keys.js';
import { countedAs } from './caller.js';
import { KeyLists } from './key-lists.js';
import { OperatorKey } from './operator-key.js';

let stores: FreshStores;
let database: Database;
let stop: FreshDatabase['stop'];
const broadcasts: Broadcasts[] = [];

beforeAll(async () => {
  ({ stores, database, stop } = await freshDatabase());
}, 60_000);
afterAll(async () => {
  for (const one of broadcasts) one.close();
  await ifStarted(stop)?.();
});

/** The keys as a replica of the gateway knows them. */
async function replica(redisUrl = stores.redisUrl): Promise<ApiKeys> {
  const own = new Broadcasts({ redisUrl, service: 'gateway', logger: silentLogger });
  broadcasts.push(own);
  const keys = new ApiKeys(database, own);
  keys.listen();
  if (redisUrl === stores.redisUrl) await eventually('it hears', () => own.isHearing);
  return keys;
}

function makeKey(keys: ApiKeys) {
  return keys.create({ owner: { newPerson: 'Cy' }, name: 'test', scopes: ['chat'], expiresAt: null });
}

const isRefused = (keys: ApiKeys, key: string) =>
  keys.authenticate(key, new Date()).then(
    () => false,
    (error: unknown) => (error as { code: string }).code === 'unauthorized',
  );

describe('an API key', () => {
  it('is found by its hash, kept nowhere itself, and ends when revoked or expired', async () => {
    const keys = await replica();
    const made = await keys.create({
      owner: { newPerson: 'Cy' },
      name: 'test',
      scopes: ['chat'],
      expiresAt: null,
    });
    const now = new Date();
    expect(await keys.authenticate(made.key, now)).toMatchObject({ displayName: 'Cy', scopes: ['chat'] });
    expect(JSON.stringify(await stores.query('SELECT * FROM api_keys'))).not.toContain(made.key.slice(4, 40));
    await keys.revoke(keyRoutes.revoke.params.parse({ id: made.id.toUpperCase() }).id, now);
    const listed = await new KeyLists(database).list({ person: made.personId, limit: 10 });
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
    const expiresAt = new Date(now.getTime() + 60_000);
    const owner = { personId: made.personId };
    const soon = await keys.create({ owner, name: 'soon', scopes: ['chat'], expiresAt });
    await keys.authenticate(soon.key, now);
    // Also where its caller is kept from before.
    await expect(keys.authenticate(soon.key, expiresAt)).rejects.toThrow(/expired/);
  });
});

describe('a list of keys', () => {
  it('goes on behind a key that is gone', async () => {
    const keys = await replica();
    const { id: first, personId } = await makeKey(keys);
    const more = { owner: { personId }, name: 'more', scopes: ['chat' as const], expiresAt: null };
    const { id: last } = await keys.create(more);
    const lists = new KeyLists(database);
    const { nextCursor } = await lists.list({ person: personId, limit: 1 });
    expect(nextCursor).toBe(last);
    await stores.query(`DELETE FROM api_keys WHERE id = '${last}'`);
    const rest = await lists.list({ person: personId, limit: 1, cursor: nextCursor! });
    expect(rest).toMatchObject({ keys: [{ id: first }], nextCursor: null });
  });
});

describe("a person's own list of keys", () => {
  it('has all in force first, then the ended ones of an operator without their sessions, whose use they keep', async () => {
    const keys = await replica();
    const { id: own, key, personId } = await makeKey(keys);
    const made = { by: randomUUID(), reason: 'to look in' };
    const theirs = async (name: string) =>
      keys.create({ owner: { personId }, name, scopes: ['chat'], expiresAt: null, made });
    const [first, second] = [await theirs('first'), await theirs('second')];
    const { key: session } = await keys.openSession(second.id, new Date());
    const usedAt = new Date();
    await keys.authenticate(session, usedAt);
    const lists = new KeyLists(database);
    const caller = await keys.authenticate(key, usedAt);
    const list = async () => (await lists.ofCaller(caller, new Date())).keys;
    await eventually('its use is noted', async () =>
      (await list()).some(({ id, lastUsedAt }) => id === second.id && lastUsedAt === usedAt.toISOString()),
    );
    await keys.revoke(second.id, new Date());
    await stores.query(
      `INSERT INTO api_keys (id, person_id, name, hash, session_of, made_by, revoked_at)
       SELECT gen_random_uuid(), $1, 'browser', gen_random_uuid(), $2, $3, now() FROM generate_series(1, 100)`,
      [personId, first.id, made.by],
    );
    expect(await list()).toMatchObject([
      { id: first.id, revokedAt: null },
      { id: own, revokedAt: null, isThisOne: true },
      { id: second.id, revokedAt: expect.any(String), lastUsedAt: usedAt.toISOString() },
    ]);
  });
});

describe('a browser’s session', () => {
  it('may do what its key may, with what that includes, and for as long', async () => {
    const keys = await replica();
    const admin = { owner: { newPerson: 'Olga' }, name: 'ops', scopes: ['chat' as const, 'admin' as const] };
    const expiresAt = new Date(Date.now() + 60_000);
    const { id } = await keys.create({ ...admin, expiresAt });
    expect(await keys.openSession(id, new Date())).toMatchObject({
      scopes: ['chat', 'companions'],
      expiresAt: expiresAt.toISOString(),
    });
  });

  it('is opened once by the same key, which does not come back once it is ended', async () => {
    const keys = await replica();
    const { id } = await makeKey(keys);
    const own = formatApiKey(randomBytes(32));
    const open = () => keys.openSession(id, new Date(), own);
    const [first, again] = await Promise.all([open(), open()]);
    expect([first.key, again]).toEqual([own, first]);
    const { keyId } = await keys.authenticate(own, new Date());
    await keys.revoke(keyId, new Date());
    await expect(open()).rejects.toMatchObject({ code: 'unauthorized' });
    const rows = await stores.query('SELECT 1 FROM api_keys WHERE session_of = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it('counts as the key that it was made from, as does one that is made from it', async () => {
    const keys = await replica();
    const now = new Date();
    const { id, key } = await makeKey(keys);
    const first = await keys.openSession(id, now);
    const { keyId } = await keys.authenticate(first.key, now);
    const second = await keys.openSession(keyId, now);
    const callers = [key, first.key, second.key].map((one) => keys.authenticate(one, now));
    expect((await Promise.all(callers)).map(countedAs)).toEqual([id, id, id]);
  });

  it('ends the oldest ones when there are twenty, whichever they were made from', async () => {
    const keys = await replica();
    const now = new Date();
    const { id, key } = await makeKey(keys);
    const open = async (from: string) => (await keys.openSession(from, now)).key;
    const sessions = [await open(id)];
    const { keyId } = await keys.authenticate(sessions[0]!, now);
    for (let n = 1; n < 20; n += 1) sessions.push(await open(n % 2 ? keyId : id));
    expect(await isRefused(keys, sessions[0]!)).toBe(false);
    const ended: (readonly string[])[] = [];
    keys.watch((ids) => ended.push(ids));
    sessions.push(await open(id), await open(id));
    const refused = await Promise.all(sessions.map((one) => isRefused(keys, one)));
    expect(refused).toEqual(sessions.map((_, n) => n < 2));
    expect(ended[0]).toEqual([keyId]);
    expect(await isRefused(keys, key)).toBe(false);
  });
});

describe('a key that may run the suite', () => {
  const makeAdminKey = (keys: ApiKeys, expiresAt: Date | null = null) =>
    keys.create({ owner: { newPerson: 'Olga' }, name: 'ops', scopes: ['memories', 'admin'], expiresAt });

  it('can be revoked while there is another, and not as the last one in force', async () => {
    const keys = await replica();
    const now = new Date();
    const [first, last] = [await makeAdminKey(keys), await makeAdminKey(keys)];
    for (const expiresInMs of [-1, 60_000]) await makeAdminKey(keys, new Date(now.getTime() + expiresInMs));
    const session = await keys.openSession(last.id, now);
    await keys.revoke(first.id, now);
    await expect(keys.revoke(last.id, now, last.personId)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('first make one'),
    });
    await expect(keys.revoke(last.id, now, first.personId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await isRefused(keys, last.key)).toBe(false);
    expect(await isRefused(keys, session.key)).toBe(false);
  });

  it('can be revoked where another one lasts as long', async () => {
    const keys = await replica();
    await stores.query('DELETE FROM api_keys');
    const [soon, later] = [new Date(Date.now() + 60_000), new Date(Date.now() + 120_000)];
    const [short, long] = [await makeAdminKey(keys, soon), await makeAdminKey(keys, later)];
    await expect(keys.revoke(long.id, new Date())).rejects.toMatchObject({ code: 'conflict' });
    await keys.revoke(short.id, new Date());
  });

  it('is no match for one that was made to act as somebody else, which makes no keys and may always be ended', async () => {
    const keys = await replica();
    await stores.query('DELETE FROM api_keys');
    const own = await makeAdminKey(keys);
    const made = { by: own.personId, reason: 'to look in' };
    const anothers = await keys.create({
      owner: { newPerson: 'Eve' },
      name: 'help',
      scopes: ['admin'],
      expiresAt: null,
      made,
    });
    expect(await keys.authenticate(anothers.key, new Date())).toMatchObject({ madeBy: own.personId });
    await expect(keys.revoke(own.id, new Date())).rejects.toMatchObject({ code: 'conflict' });
    await stores.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [own.id]);
    await keys.revoke(anothers.id, new Date());
  });

  it('stays where two that are left are revoked in the same moment', async () => {
    const keys = await replica();
    await stores.query('DELETE FROM api_keys');
    const pair = [await makeAdminKey(keys), await makeAdminKey(keys)];
    const ends = await Promise.allSettled(pair.map(({ id }) => keys.revoke(id, new Date())));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe("the operator's own key", () => {
  it('goes on acting as the same person when another one takes its place, while that person is there', async () => {
    const keys = await replica();
    await stores.query('DELETE FROM api_keys');
    const whose = async () => {
      const key = formatApiKey(randomBytes(32));
      const own = new OperatorKey(database, { bootstrapKey: key, ownerName: 'Owner' });
      await own.ensure();
      await own.ensure();
      return keys.authenticate(key, new Date());
    };
    const first = await whose();
    const bo = { owner: { newPerson: 'Bo' }, name: 'operator', expiresAt: null };
    await keys.create({ ...bo, scopes: ['chat'] });
    const anothers = await keys.create({ ...bo, scopes: ['chat', 'admin'] });
    const second = await whose();
    expect(second.personId).toBe(first.personId);
    await keys.revoke(first.keyId, new Date());
    expect((await whose()).personId).toBe(first.personId);
    await stores.query('DELETE FROM people WHERE person_id = $1', [anothers.personId]);
    await stores.query('DELETE FROM people WHERE person_id = $1', [first.personId]);
    expect((await whose()).personId).not.toBe(first.personId);
  });

  it('gives its person the name that is set by now, and nobody else', async () => {
    const keys = await replica();
    await stores.query('DELETE FROM api_keys');
    const key = formatApiKey(randomBytes(32));
    const bo = await keys.create({
      owner: { newPerson: 'Bo' },
      name: 'operator',
      scopes: ['chat'],
      expiresAt: null,
    });
    for (const ownerName of ['Owner', 'Ada'])
      await new OperatorKey(database, { bootstrapKey: key, ownerName }).ensure();
    const nameOf = async (one: string) => (await keys.authenticate(one, new Date())).displayName;
    expect([await nameOf(key), await nameOf(bo.key)]).toEqual(['Ada', 'Bo']);
  });
});

describe('a key that is revoked', () => {
  it('ends the session that is being opened from it just then', async () => {
    const keys = await replica();
    const { id } = await makeKey(keys);
    // By its words: notes of other keys' use, and autovacuum, may wait for the table as well.
    const waiting = (statement: string) =>
      eventually(`${statement} waits`, async () => {
        const sql = `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`;
        return (await stores.query(sql, [statement])).length === 1;
      });
    const work = await database.asSystem(async (tx) => {
      await tx.$executeRaw`LOCK TABLE api_keys IN SHARE MODE`;
      const opening = keys.openSession(id, new Date());
      await waiting('UPDATE api_keys SET revoked_at');
      const revoking = keys.revoke(id, new Date());
      await waiting("'admin' = ANY (scopes)");
      return { opening, revoking };
    });
    const session = await work.opening;
    await work.revoking;
    expect(await isRefused(keys, session.key)).toBe(true);
  });
});

describe('a key that is revoked at one replica', () => {
  it('ends at once at the others', async () => {
    const [here, there] = [await replica(), await replica()];
    const { id, key } = await makeKey(here);
    const ended: (readonly string[])[] = [];
    there.watch((ids) => ended.push(ids));
    await there.authenticate(key, new Date());
    await here.revoke(id, new Date());
    await eventually('it is refused', () => isRefused(there, key));
    expect(ended).toEqual([[id]]);
  });

  it('ends within seconds at one that can hear nothing', async () => {
    const [here, deaf] = [await replica(), await replica('redis://127.0.0.1:1')];
    const { id, key } = await makeKey(here);
    await deaf.authenticate(key, new Date());
    await here.revoke(id, new Date());
    await eventually('it is refused', () => isRefused(deaf, key), 8_000);
  }, 15_000);
});
