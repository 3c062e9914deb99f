import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { MyKeyList } from '@kith/contracts';
import { SERVICES } from '@kith/embedded';
import { eventually, ifStarted } from '@kith/testing';
import WebSocket from 'ws';
import { METRICS_TOKEN, startSuite, type Suite } from './suite.js';

/** Words that nobody says but the one they are kept from others for. */
const CANARY = 'Zorvexil';
const KITH = join(import.meta.dirname, '../../apps/cli/bin/kith.js');

let suite: Suite;
let ana: { key: string; personId: string };
let ben: { key: string; personId: string };
let turnId: string;

beforeAll(async () => {
  suite = await startSuite({}, { placement: 'together' });
  ana = await suite.newPerson('Ana');
  ben = await suite.newPerson('Ben');
  await suite.say('My dog died this morning.', { key: ana.key });
  await suite.say(`I moved to ${CANARY}.`, { key: ana.key });
  await eventually(
    'it is kept and felt',
    async () => {
      const [row] = await suite.query<{ facts: string; felt: string }>(
        `SELECT (SELECT count(*) FROM memories WHERE kind = 'fact') AS facts,
          (SELECT count(*) FROM affect_events WHERE emotion = 'pity') AS felt`,
      );
      return Number(row!.facts) > 0 && Number(row!.felt) > 0;
    },
    30_000,
  );
  turnId = (await suite.say(`Where did I move to? Is it ${CANARY}?`, { key: ana.key })).turnId;
  await suite.api('/v1/me/outreach', { method: 'PATCH', key: ana.key, body: { topicsOff: [CANARY] } });
  await suite.say('What time is it in Lisbon?', { key: ben.key });
}, 120_000);
afterAll(() => ifStarted(suite)?.stop());

/** Every route that can be read, with Ana's own ids in its path. */
async function readableRoutes(): Promise<string[]> {
  const { body } = await suite.api('/docs/openapi.json');
  const { paths } = body as { paths: Record<string, Record<string, unknown>> };
  const [row] = await suite.query<{ conversation: string; memory: string }>(
    `SELECT (SELECT conversation_id FROM conversations WHERE person_id = $1 LIMIT 1) AS conversation,
      (SELECT id FROM memories WHERE person_id = $1 LIMIT 1) AS memory`,
    [ana.personId],
  );
  const idFor = (path: string) =>
    [
      ['/companions/', 'mira'],
      ['/conversations/', row!.conversation],
      ['/turns/', turnId],
      ['/memories/', row!.memory],
    ].find(([part]) => path.includes(part!))?.[1] ?? ana.personId;
  return Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replace('{id}', idFor(path)).replaceAll(/\{\w+\}/g, ana.personId));
}

const read = async (path: string, key: string): Promise<string> => {
  const query = path.endsWith('/search') ? `?q=${CANARY}` : '';
  const response = await fetch(`${suite.url}${path}${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.text();
};

async function kith(key: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, KITH_URL: suite.url, KITH_KEY: key, NO_COLOR: '1' };
  return promisify(execFile)(process.execPath, [KITH, ...args], { env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout + stderr;
    },
  );
}

describe('what is somebody’s', () => {
  it('is theirs to read: what is looked for below is there', async () => {
    expect(await read(`/v1/turns/${turnId}`, ana.key)).toContain(CANARY);
    expect(await read('/v1/memories', ana.key)).toContain(CANARY);
    expect(await read('/v1/companions/mira/mood', ana.key)).toContain('pity');
  });

  it('is in no answer of any route to anybody else, with their ids or without', async () => {
    const routes = await readableRoutes();
    expect(routes.length).toBeGreaterThan(30);
    const theirs = await suite.query<{ id: string }>(
      'SELECT turn_id::text AS id FROM turns WHERE person_id = $1',
      [ana.personId],
    );
    for (const path of routes) {
      const told = await read(path, ben.key);
      // An id that was sent may be named in a refusal.
      const sent = theirs.filter(({ id }) => !path.includes(id)).map(({ id }) => id);
      const leaks = [CANARY, 'pity', ...(path.includes(ana.personId) ? [] : [ana.personId]), ...sent].filter(
        (word) => told.toLowerCase().includes(word.toLowerCase()),
      );
      expect([path, leaks]).toEqual([path, []]);
    }
  });

  it('is without its words for an operator, at every route and on the board of queues', async () => {
    for (const path of [...(await readableRoutes()), '/admin/queues/api/queues']) {
      expect([path, new RegExp(CANARY, 'i').test(await read(path, suite.adminKey))]).toEqual([path, false]);
    }
    const trace = await read(`/v1/turns/${turnId}`, suite.adminKey);
    expect(JSON.parse(trace)).toMatchObject({ turnId, reply: null, trace: { personId: ana.personId } });
  });

  it('is in nothing that the command line prints to others', async () => {
    for (const command of [
      ['mood'],
      ['mood', 'why'],
      ['companion', 'show', 'mira'],
      ['turn', 'list'],
      ['memories', 'search', 'where did I move'],
    ]) {
      const told = await kith(ben.key, ...command);
      expect([command, told.match(new RegExp(`pity|${CANARY}|${ana.personId}`, 'gi'))]).toEqual([
        command,
        null,
      ]);
    }
  });

  it('shows others neither its minute nor what was felt, in however narrow a period', async () => {
    const [row] = await suite.query<{ at: Date }>(
      `SELECT at FROM affect_events WHERE emotion = 'pity' ORDER BY at LIMIT 1`,
    );
    const about = (ms: number) => new Date(row!.at.getTime() + ms).toISOString();
    const { body } = await suite.api(`/v1/companions/mira/mood?from=${about(-60_000)}&to=${about(60_000)}`, {
      key: ben.key,
    });
    const { series } = body as { series: { emotion: string | null; at: string }[] };
    expect(series.filter(({ emotion }) => emotion !== null)).toEqual([]);
    expect(series.map(({ at }) => at)).not.toContain(row!.at.toISOString());
  });
});

/** A WebSocket that said hello, with what it heard and how it was closed. */
async function openSocket(key: string) {
  const socket = new WebSocket(`${suite.url.replace('http', 'ws')}/v1/ws`);
  const frames: { type: string; problem?: { code: string } }[] = [];
  let closed: number | null = null;
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as { type: string }));
  socket.on('close', (code) => (closed = code));
  await new Promise((resolve) => socket.once('open', resolve));
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  send({ type: 'hello', key });
  await eventually('an answer to hello', () => frames.length > 0);
  return { socket, frames, send, closedWith: () => closed };
}

describe('a WebSocket', () => {
  const newKey = async (expiresAt?: string) => {
    const body = {
      name: 'socket',
      personId: ben.personId,
      reason: 'a test of sockets',
      scopes: ['chat'],
      ...(expiresAt ? { expiresAt } : {}),
    };
    return (await suite.api('/v1/keys', { body })).body as { id: string; key: string };
  };

  it('is closed when its key is revoked', async () => {
    const { id, key } = await newKey();
    const { closedWith, frames } = await openSocket(key);
    expect(frames[0]?.type).toBe('ready');
    await suite.api(`/v1/keys/${id}`, { method: 'DELETE' });
    await eventually('it is closed', () => closedWith() === 4401);
  });

  it('is closed when its key has expired', async () => {
    const { key } = await newKey(new Date(Date.now() + 2_500).toISOString());
    const { closedWith, frames } = await openSocket(key);
    expect(frames[0]?.type).toBe('ready');
    await eventually('it is closed', () => closedWith() === 4401);
  });

  it('is closed when it floods, whatever it sends', async () => {
    const { send, closedWith } = await openSocket(ben.key);
    for (let n = 0; n < 700; n += 1) send({ type: n % 2 ? 'stop' : 'ping' });
    await eventually('it is closed', () => closedWith() === 4429);
  });

  it('leaves no subscription behind where it closed during hello', async () => {
    const channels = async () => {
      const { Redis } = await import('ioredis');
      const redis = new Redis(suite.stack.redis.url);
      const names = (await redis.pubsub('CHANNELS', `*person.${ben.personId}`)) as string[];
      redis.disconnect();
      return names.length;
    };
    await eventually('nobody of them listens', async () => (await channels()) === 0);
    for (let n = 0; n < 30; n += 1) {
      const socket = new WebSocket(`${suite.url.replace('http', 'ws')}/v1/ws`);
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(JSON.stringify({ type: 'hello', key: ben.key }));
      if (n % 2) socket.send(JSON.stringify({ type: 'hello', key: ben.key }));
      socket.terminate();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    await eventually('no subscription is left', async () => (await channels()) === 0);
  });
});

describe('a key that an operator makes to act as somebody else', () => {
  const make = (body: object) => suite.api('/v1/keys', { body: { name: 'help', ...body } });
  const keysOf = async (key: string) => {
    const { body } = await suite.api('/v1/me/keys', { key });
    return (body as MyKeyList).keys;
  };

  it('needs a reason, which its person reads, and stands in the log without it', async () => {
    const eve = await suite.newPerson('Eve');
    expect(await make({ personId: eve.personId })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'reason' }] },
    });
    expect(await make({ person: 'Olaf', name: 'Operator', scopes: ['admin'] })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'name' }] },
    });
    const reason = `lost her key ${randomUUID()}`;
    const { body } = await make({ personId: eve.personId, reason });
    const { id, key } = body as { id: string; key: string };
    const [newest, own] = await keysOf(eve.key);
    expect(newest).toMatchObject({ id, name: 'help', madeBy: 'operator', reason, isThisOne: false });
    expect(own).toMatchObject({ madeBy: 'you', reason: null, isThisOne: true });

    const [row] = await suite.query<{ subjects: unknown; whole: string }>(
      `SELECT subjects, operator_actions::text AS whole FROM operator_actions
        WHERE action = 'POST /v1/keys' AND subjects->>'key' = $1`,
      [id],
    );
    expect(row!.subjects).toEqual({ key: id, person: eve.personId });
    expect(row!.whole).not.toContain(reason);

    // A browser's session made from it is an operator's, too.
    const { body: made } = await suite.api('/v1/sign-in-codes', { key, body: {} });
    const { code } = made as { code: string };
    await suite.api('/v1/sign-in', { key: null, body: { code } });
    expect((await keysOf(eve.key))[0]).toMatchObject({ name: 'browser', madeBy: 'operator', reason });
  });

  it('can be ended by its person, and stays in their list', async () => {
    const eve = await suite.newPerson('Eve');
    const { body } = await make({ personId: eve.personId, reason: 'to look after it' });
    const { id, key } = body as { id: string; key: string };
    const end = (by: string) => suite.api(`/v1/me/keys/${id}`, { method: 'DELETE', key: by });
    expect((await end(ben.key)).status).toBe(404);
    expect((await end(eve.key)).status).toBe(204);
    expect((await suite.api('/v1/me', { key })).status).toBe(401);
    expect((await keysOf(eve.key)).at(-1)).toMatchObject({ id, revokedAt: expect.any(String) });
  });

  it('makes no others, and may be ended by its person though it runs the suite', async () => {
    const eve = await suite.newPerson('Eve');
    const { body } = await make({
      personId: eve.personId,
      reason: 'to look in',
      scopes: ['memories', 'admin'],
    });
    const { id, key } = body as { id: string; key: string };
    const names = [
      { personId: eve.personId },
      { person: 'Nobody yet' },
      { personId: ben.personId, reason: 'too' },
    ];
    for (const whose of names) {
      const refused = await suite.api('/v1/keys', { key, body: { name: 'second', ...whose } });
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await keysOf(eve.key)).map(({ name }) => name)).not.toContain('second');
    expect((await suite.api(`/v1/me/keys/${id}`, { method: 'DELETE', key: eve.key })).status).toBe(204);
  });

  it('needs none for a new person, nor for the operator', async () => {
    expect((await make({ person: 'Nobody yet' })).status).toBe(201);
    const { personId } = (await suite.api('/v1/me')).body as { personId: string };
    expect((await make({ personId })).status).toBe(201);
    expect((await keysOf(suite.adminKey)).map(({ madeBy }) => madeBy)).not.toContain('operator');
  });
});

describe('a request whose body is held back', () => {
  it('makes no key once its own was revoked', async () => {
    const { personId } = (await suite.api('/v1/me')).body as { personId: string };
    const make = (name: string) => ({ name, personId, scopes: ['admin'] });
    const { body } = await suite.api('/v1/keys', { body: make('stolen') });
    const { id, key } = body as { id: string; key: string };
    const held = request(`${suite.url}/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const status = new Promise((resolve, reject) =>
      held.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject),
    );
    held.write('{');
    // Its use is noted as the key is looked up, before the body is waited for.
    await eventually('it is let in', async () => {
      const [row] = await suite.query('SELECT 1 FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL', [
        id,
      ]);
      return row !== undefined;
    });
    expect((await suite.api(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(204);
    held.end(JSON.stringify(make('its heir')).slice(1));
    expect(await status).toBe(401);
    expect(await suite.query("SELECT 1 FROM api_keys WHERE name = 'its heir'")).toEqual([]);
  });
});

describe('a sign-in code', () => {
  it('works once, makes a session of less scope, which ends with its key', async () => {
    const { id, key } = (
      await suite.api('/v1/keys', {
        body: {
          name: 'parent',
          personId: ben.personId,
          reason: 'a test of sessions',
          scopes: ['chat', 'memories', 'import', 'admin'],
        },
      })
    ).body as { id: string; key: string };
    const { body: made } = await suite.api('/v1/sign-in-codes', { key, body: {} });
    const { code } = made as { code: string };
    const { status, body } = await suite.api('/v1/sign-in', { key: null, body: { code } });
    const session = body as { key: string };
    expect([status, body]).toMatchObject([
      201,
      { personId: ben.personId, scopes: ['chat', 'memories', 'companions'] },
    ]);
    expect((await suite.api('/v1/sign-in', { key: null, body: { code } })).status).toBe(401);
    expect((await suite.api('/v1/people', { key: session.key })).status).toBe(403);
    expect((await suite.api('/v1/session', { method: 'DELETE', key })).status).toBe(409);
    await suite.api(`/v1/keys/${id}`, { method: 'DELETE' });
    expect((await suite.api('/v1/me', { key: session.key })).status).toBe(401);
  });

  it('ends with signing out', async () => {
    const { body } = await suite.api('/v1/sign-in-codes', { key: ben.key, body: {} });
    const { code } = body as { code: string };
    const { key: own } = (await suite.api('/v1/sign-in', { key: null, body: { code } })).body as {
      key: string;
    };
    expect((await suite.api('/v1/session', { method: 'DELETE', key: own })).status).toBe(204);
    expect((await suite.api('/v1/me', { key: own })).status).toBe(401);
    expect((await suite.api('/v1/me', { key: ben.key })).status).toBe(200);
  });

  it('is not made with a key that may not chat', async () => {
    const importer = await suite.newPerson('Importer', ['import']);
    expect((await suite.api('/v1/sign-in-codes', { key: importer.key, body: {} })).status).toBe(403);
    const body = { optedIn: true };
    const change = { method: 'PATCH', key: importer.key, body };
    expect((await suite.api('/v1/me/outreach', change)).status).toBe(403);
  });
});

describe('what everybody on the machine can reach', () => {
  it('tells its figures for a token alone', async () => {
    for (const { name } of SERVICES) {
      const url = `${suite.stack.service(name).url}/metrics`;
      const status = async (authorization?: string) => {
        const answer = await fetch(url, authorization ? { headers: { authorization } } : {});
        if (!answer.ok) expect(answer.headers.get('content-type')).toContain('application/problem+json');
        return answer.status;
      };
      expect([
        name,
        await status(),
        await status('Bearer wrong'),
        await status(`Bearer ${METRICS_TOKEN}`),
      ]).toEqual([name, 401, 401, 200]);
    }
  });

  it('shows operators every queue, by the key as a password, and nobody else, and changes none', async () => {
    const { key } = await suite.newPerson('Curious', ['chat', 'memories']);
    const board = `${suite.url}/admin/queues/`;
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`,
    });
    const asked = await fetch(board);
    expect(asked.status).toBe(401);
    expect(asked.headers.get('www-authenticate')).toContain('Basic');
    expect((await fetch(`${board}static/favicon-32x32.png`)).status).toBe(401);
    expect((await fetch(board, { headers: basic('kth_wrong') })).status).toBe(401);
    expect((await fetch(board, { headers: basic(key) })).status).toBe(403);
    const changed = await fetch(`${board}api/queues/gateway.take-turn/pause`, {
      method: 'PUT',
      headers: basic(suite.adminKey),
    });
    expect(changed.status).toBe(403);
    const { body, headers } = await suite.api('/admin/queues/api/queues');
    const { queues } = body as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(queues.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gateway.take-turn', 'memory.remember', 'jobs.recur', 'discord.deliver']),
    );
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('answers nothing below /v1 with a file of the console, however its address is written', async () => {
    const { pathname, origin } = new URL(suite.url);
    expect(pathname).toBe('/');
    for (const path of ['/v1/turns/..%2f..%2findex.html', '/V1/..%2f', '/v1/turns/..%2f..', '/v1/..%5c']) {
      const { status, headers } = await fetch(origin + path, { redirect: 'manual' });
      const type = headers.get('content-type');
      expect([path, status, type]).toEqual([
        path,
        expect.any(Number),
        expect.stringContaining('application/problem+json'),
      ]);
    }
  });

  it('says to browsers what a page of it may do, without a proxy in front', async () => {
    for (const path of [
      '/',
      '/favicon.svg',
      '/docs',
      '/v1/me',
      '/v1/health',
      '/admin/queues/',
      '/nothing-here',
    ]) {
      const { headers } = await fetch(suite.url + path);
      expect([path, headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual([
        path,
        'nosniff',
        'DENY',
      ]);
      const policy = headers.get('content-security-policy') ?? '';
      expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
      expect([path, policy]).toEqual([path, expect.stringMatching(/^default-src '(self|none)'/)]);
    }
    const page = await fetch(`${suite.url}/`);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    // A browser that keeps the page without asking would show the one before an update.
    const asset = /\/assets\/[^"]+/.exec(await page.text())![0];
    const { headers } = await fetch(suite.url + asset, { method: 'HEAD' });
    expect([page.headers.get('cache-control'), headers.get('cache-control')]).toEqual([
      'no-cache',
      'public, max-age=31536000, immutable',
    ]);
  });
});
