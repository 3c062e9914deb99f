import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_ROUTES, ApiScope, JOB_CONTRACTS, type OperatorActionList } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { Redis } from 'ioredis';
import type { z } from 'zod';
import { startSuite, type Suite } from './suite.js';

// Where people's words stand on the disk, and who looked at them.

const CANARY = 'zwitscherkanarie';
const ANY_ID = '0193b0a1-7f3e-7abc-8def-0123456789ab';
let suite: Suite;

beforeAll(async () => {
  suite = await startSuite({ LOG_LEVEL: 'trace' });
}, 120_000);
afterAll(() => suite.stop());

/** Files below a folder of the suite that hold these words. */
async function filesWith(words: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const directory = join(suite.stack.options.directory, folder);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // Redis puts a file that is written anew in the old one's place: it may be gone by now.
    const content = await readFile(join(entry.parentPath, entry.name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    if (content?.includes(words)) found.push(entry.name);
  }
  return found;
}

/** Says and does all that puts words on their way. */
async function talkAbout(word: string, key: string): Promise<void> {
  for (const text of [
    `My ${word} is called Pip.`,
    `I hate my ${word}.`,
    `Remind me of my ${word} tomorrow.`,
  ]) {
    await suite.say(text, { key });
  }
  const search = await suite.api(`/v1/memories/search?q=${word}`, { key });
  const content = `# House\n\nThe ${word} lives in the attic.`;
  const document = await suite.api('/v1/documents', { key, body: { title: `About ${word}`, content } });
  const records = [{ text: `The ${word} sings.`, saidAt: '2024-05-01T10:00:00Z' }];
  const imported = await suite.api('/v1/memories/import', { key, body: { records } });
  expect([search.status, document.status, imported.status]).toEqual([200, 201, 200]);
  // What is refused must not be told in a log either.
  await suite.api('/v1/chat', { key, body: { message: word, [word]: word } });
  await suite.api(`/v1/turns/${word}`, { key });
  await suite.api('/v1/chat', { key, rawBody: `{"message": "${word}` });
}

describe('the words of people', () => {
  it('stand in no log, whatever was done with them', async () => {
    const { key } = await suite.newPerson('Ada', ['chat', 'memories', 'import']);
    await talkAbout(CANARY, key);
    await eventually('the canary is remembered', async () => {
      const { body } = await suite.api(`/v1/memories/search?q=${CANARY}`, { key });
      return JSON.stringify(body).includes(CANARY);
    });
    expect(await filesWith(CANARY, 'logs')).toEqual([]);
  });

  it('are gone from Redis and its disk after they were forgotten', async () => {
    const word = 'vergissmeinnicht';
    const { key } = await suite.newPerson('Ben', ['chat', 'memories', 'import']);
    await talkAbout(word, key);
    expect(await filesWith(word, 'redis')).not.toEqual([]);
    await suite.api('/v1/memories/forget', { key, body: { all: true } });
    await eventually(
      'the file is written anew',
      async () => (await filesWith(word, 'redis')).length === 0,
      40_000,
    );
  });

  it('are gone from Redis and its disk after their person was erased', async () => {
    const word = 'nimmerwiedersehen';
    const { key, personId } = await suite.newPerson('Cleo', ['chat', 'memories', 'import']);
    await talkAbout(word, key);
    expect(await filesWith(word, 'redis')).not.toEqual([]);
    const { status } = await suite.api(`/v1/me?confirm=${personId}`, { key, method: 'DELETE' });
    expect(status).toBe(200);
    await eventually(
      'the file is written anew',
      async () => (await filesWith(word, 'redis')).length === 0,
      40_000,
    );
  });

  it('are in no stream and no queue once all is done', async () => {
    const word = 'augenblick';
    const { key } = await suite.newPerson('Dora', ['chat', 'memories', 'import']);
    await talkAbout(word, key);
    const redis = new Redis(suite.stack.redis.url);
    const keysWith = async () => {
      const found: string[] = [];
      for (const name of await redis.keys('*')) {
        const dump = await redis.dumpBuffer(name);
        if ((dump as Buffer | null)?.includes(word)) found.push(name);
      }
      return found;
    };
    expect(await filesWith(word, 'redis')).not.toEqual([]);
    await eventually('nothing holds it', async () => (await keysWith()).length === 0, 20_000);
    redis.disconnect();
    expect(JOB_CONTRACTS.length).toBeGreaterThan(10);
  });
});

describe('the audit log', () => {
  const actions = async () => {
    const { body } = await suite.api('/v1/audit?limit=200');
    return (body as z.output<typeof OperatorActionList>).actions;
  };

  it('has a row of each route that only operators may use, whatever comes of it', async () => {
    const operators = ['audit', 'thoughts', 'companions', 'admin'];
    const everythingElse = ApiScope.options.filter((scope) => !operators.includes(scope));
    const { key } = await suite.newPerson('Eve', everythingElse);
    const missing: string[] = [];
    let count = 0;
    for (const { method, path } of ALL_ROUTES) {
      const address = path.replaceAll(/\{\w+\}/g, ANY_ID);
      const options = { method, ...(method === 'GET' ? {} : { body: {} }) };
      if ((await suite.api(address, { ...options, key })).status !== 403) continue;
      count += 1;
      const before = new Set((await actions()).map(({ id }) => id));
      await suite.api(address, options);
      const action = `${method} ${path}`;
      const isNew = (one: { id: string; action: string }) => one.action === action && !before.has(one.id);
      if (!(await actions()).some(isNew)) missing.push(action);
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(20);
  });

  it('has a row of an operator who looks at a companion’s needs, and none of anybody else who does', async () => {
    const { key, personId } = await suite.newPerson('Nina', ['chat']);
    const looks = async () =>
      (await actions())
        .filter(({ action }) => action === 'GET /v1/companions/{id}/needs')
        .map((one) => one.operatorId);
    await suite.api('/v1/companions/mira/needs', { key });
    const before = await looks();
    expect((await suite.api('/v1/companions/mira/needs')).status).toBe(200);
    expect(await looks()).toHaveLength(before.length + 1);
    expect(before).not.toContain(personId);
  });

  it('can be searched by what was done, and by who did it or whom it was about', async () => {
    const { personId, key } = await suite.newPerson('Gus', ['chat', 'audit']);
    await suite.api(`/v1/people/${personId}/holdings`);
    await suite.api(`/v1/people/${personId}/outreach`, { method: 'PATCH', body: { isMinor: 'perhaps' } });
    const found = async (query: string) => {
      const { body } = await suite.api(`/v1/audit?${query}`, { key });
      return (body as z.output<typeof OperatorActionList>).actions.map(({ action }) => action);
    };
    const about = await found(`person=${personId}`);
    expect(about).toContain('GET /v1/people/{id}/holdings');
    expect(about).toContain('PATCH /v1/people/{id}/outreach');
    expect(await found(`person=${personId}&action=HOLDINGS`)).toEqual(['GET /v1/people/{id}/holdings']);
    // Reading the log is an action as well: this person did it.
    expect(about).not.toContain('GET /v1/audit');
    expect(await found(`person=${personId}`)).toContain('GET /v1/audit');
    expect(await found('action=nothing-like-it')).toEqual([]);
    expect((await suite.api('/v1/people', { key })).status).toBe(403);
  });

  it('says who did what to whom, and none of the words', async () => {
    const { personId } = await suite.newPerson('Finn');
    await suite.api(`/v1/people/${personId}/holdings`);
    const [row] = await actions();
    expect(row).toMatchObject({
      keyName: 'operator',
      action: 'GET /v1/people/{id}/holdings',
      subjects: { id: personId },
      outcome: 'ok',
    });
    expect(JSON.stringify(await suite.query('SELECT * FROM operator_actions'))).not.toContain(CANARY);
  });

  it('notes when an operator reads what may be another person’s, and not when that person does', async () => {
    const { key } = await suite.newPerson('Gus');
    const theirs = await suite.say('Hello there.', { key });
    await suite.api(`/v1/turns/${theirs.turnId}`);
    await suite.api(`/v1/turns/${theirs.turnId}`, { key });
    const read = (await actions()).filter(({ action }) => action === 'GET /v1/turns/{id}');
    expect(read.map(({ subjects }) => subjects['id'])).toEqual([theirs.turnId]);
  });

  it('can be changed by nobody, and shortened by what is old alone', async () => {
    await actions();
    const refused = /append-only/;
    await expect(suite.query(`UPDATE operator_actions SET outcome = 'x'`)).rejects.toThrow(refused);
    await expect(suite.query('DELETE FROM operator_actions')).rejects.toThrow(refused);
    await expect(suite.query('TRUNCATE operator_actions')).rejects.toThrow(refused);
    await suite.query(
      `INSERT INTO operator_actions (id, at, key_id, key_name, operator_id, action, outcome)
       VALUES ($1, now() - interval '400 days', $1, 'old', $1, 'GET /v1/people', 'ok')`,
      [ANY_ID],
    );
    const { status } = await suite.api('/v1/jobs/retention/run', { method: 'POST' });
    expect(status).toBe(200);
    await eventually('the old row is gone', async () => {
      const rows = await suite.query(`SELECT 1 FROM operator_actions WHERE key_name = 'old'`);
      return rows.length === 0;
    });
  });
});
