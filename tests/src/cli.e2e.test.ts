import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

const KITH = join(import.meta.dirname, '../../apps/cli/bin/kith.js');
let suite: Suite;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  suite = await startSuite();
  environment = {
    ...process.env,
    KITH_URL: suite.url,
    KITH_KEY: suite.adminKey,
    REDIS_URL: suite.stack.redis.url,
    DATABASE_URL: suite.stack.databaseUrl,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
  };
}, 120_000);
afterAll(() => suite.stop());

async function kith(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [KITH, ...args], {
      env: environment,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

describe('kith', () => {
  it('chats line by line, and streams each reply', async () => {
    const chat = spawn(process.execPath, [KITH, 'chat'], {
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    chat.stdout.on('data', (data: Buffer) => (said += data.toString()));
    chat.stdin.end('I planted tulips by the red gate.\nWhat did I plant by the gate?\n/quit\n');
    const [code] = (await once(chat, 'exit')) as [number];
    expect([code, said]).toEqual([0, expect.stringContaining('“I planted tulips by the red gate.”')]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leaves no half of an export behind at %s', async (signal, code) => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-export-'));
    let isAsked = false;
    const silent = createServer(() => (isAsked = true)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const kith = spawn(process.execPath, [KITH, 'memories', 'export', join(folder, 'ada.jsonl')], {
      env: { ...environment, KITH_URL: `http://127.0.0.1:${port}` },
    });
    await eventually('the export to begin', () => Promise.resolve(isAsked));
    expect(await readdir(folder)).toHaveLength(1);
    kith.kill(signal);
    expect(await once(kith, 'exit')).toEqual([code, null]);
    expect(await readdir(folder)).toEqual([]);
    silent.closeAllConnections();
    silent.close();
    await rm(folder, { recursive: true });
  });

  it('settles when it may be written to first, by city, and tells why it was', async () => {
    const changed = await kith(
      'outreach',
      '--on',
      '--zone',
      'new york',
      '--weekly-cap',
      '3',
      '--topics-off',
      'work',
    );
    expect(changed.stdout).toContain('3 a week');
    expect(changed.stdout).toContain('(America/New_York); not about work');
    expect((await kith('outreach', '--zone', 'Berln')).stderr).toContain('did you mean Europe/Berlin');
    expect((await kith('outreach', 'why')).stderr).toContain('no companion has written to you first');
    expect(JSON.parse((await kith('outreach', 'why', '--json')).stdout)).toEqual({
      attempts: [],
      nextCursor: null,
    });
    const { personId } = (await suite.api('/v1/me')).body as { personId: string };
    const restricted = await kith('outreach', 'restrict', personId, '--age', 'adult');
    expect(restricted.stdout.trim()).toBe('age: adult');
    expect((await kith('outreach', 'restrict', randomUUID(), '--age', 'adult')).code).toBe(1);
  });

  it('shows what recurs, holds it and has it run', async () => {
    type Job = { name: string; lastOutcome: string | null; nextRunAt: string | null; paused: boolean };
    const jobs = async () => JSON.parse((await kith('jobs', '--json')).stdout) as Job[];
    expect((await jobs()).map(({ name }) => name)).toEqual([
      'outreach',
      'interests',
      'consolidation',
      'reflection',
      'heartbeat',
      'tasks',
      'retention',
    ]);
    expect((await kith('jobs')).stdout).toMatch(/next look +schedule/);
    expect((await kith('jobs', 'pause', 'reflection')).stdout.trim()).toBe('reflection: held');
    expect((await kith('jobs', 'run', 'reflection')).stdout).toContain('runs now');
    await eventually('it ran, though it is held', async () =>
      (await jobs()).some((job) => job.name === 'reflection' && job.paused && job.lastOutcome === 'ok'),
    );
    expect((await kith('jobs', 'resume', 'reflection')).stdout.trim()).toBe('reflection: ok');
    expect((await kith('jobs', 'pause', 'everything')).stderr).toContain('there is no job everything');
  });

  it('lists, searches and forgets memories', async () => {
    await eventually('the memory', async () => (await kith('memories', 'list')).stdout.includes('tulips'));
    const found = await kith('memories', 'search', 'tulips', '--json');
    expect(found.stdout).toContain('red gate');
    const why = await kith('memories', 'why', 'where', 'are', 'the', 'tulips?');
    expect(why.stdout).toMatch(/read as: words .*tulip/);
    expect(why.stdout).toMatch(/in the prompt[\s\S]*red gate/);
    const directory = await mkdtemp(join(tmpdir(), 'kith-eval-'));
    const { personId } = await suite.newPerson('Vera');
    const file = join(directory, 'questions.jsonl');
    const questions = [
      { question: 'What stands by the gate?', words: ['tulips'] },
      { question: 'What stands by the gate?', words: ['tulips'], person: personId },
    ];
    await writeFile(file, questions.map((each) => JSON.stringify(each)).join('\n'));
    expect((await kith('memories', 'eval', file)).code).toBe(2);
    const measured = await kith('memories', 'eval', file, '--reason', 'a look at recall');
    await rm(directory, { recursive: true });
    expect(measured.stdout).toMatch(/2 questions · hit@5 50.0 % · hit@10 50.0 %/);
    expect(measured.stdout).toMatch(/line 2: .*\n +not among the 0 candidates/);
    const keys = await kith('keys', 'list', '--person', personId, '--json');
    expect(JSON.parse(keys.stdout)).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ reason: 'a look at recall', revokedAt: expect.any(String) }),
      ]),
    });
    const missing = await kith('memories', 'import', join(directory, 'none.jsonl'));
    expect(missing.stderr).toContain(`there is no file ${join(directory, 'none.jsonl')}`);
    const cleared = await kith('memories', 'clear', '--yes');
    expect(cleared.code).toBe(0);
    expect((await kith('memories', 'list')).stdout).not.toContain('tulips');
  });

  it('makes a key that works', async () => {
    const made = await kith('keys', 'create', '--person', 'Nora', '--json');
    const { key } = JSON.parse(made.stdout) as { key: string };
    expect((await suite.api('/v1/me', { key })).body).toMatchObject({ displayName: 'Nora' });
  });

  it('lists keys without the keys, and revokes one', async () => {
    const made = await kith('keys', 'create', '--person', 'Olga', '--json');
    const { key, id } = JSON.parse(made.stdout) as { key: string; id: string };
    const listed = await kith('keys', 'list');
    expect(listed.stdout).toMatch(new RegExp(`${id}.*Olga.*in force`));
    expect(listed.stdout).not.toContain(key);
    expect((await kith('keys', 'revoke', id)).code).toBe(0);
    expect((await suite.api('/v1/me', { key })).status).toBe(401);
    expect((await kith('keys', 'list')).stdout).toMatch(new RegExp(`${id}.*Olga.*revoked`));
    expect((await kith('keys', 'revoke', id)).code).toBe(1);
  });

  it('erases a person after a look at what there is, and keeps the receipt', async () => {
    const { key, personId } = await suite.newPerson('Pia');
    await suite.say('I collect thimbles.', { key });
    expect((await kith('people')).stdout).toMatch(new RegExp(`${personId}.*Pia`));
    const kept = await kith('people', 'erase', personId, '--dry-run');
    expect(kept.stdout).toMatch(/gateway +transcript +2/);
    // Most of forty stores hold nothing of her, and are not listed.
    expect(kept.stdout).not.toMatch(/ 0$/m);
    expect((await kith('people', 'erase', personId)).stderr).toContain('--yes');
    const erased = await kith('people', 'erase', personId, '--yes');
    expect(erased.stdout).toContain(`${personId} is erased`);
    // The same again says the same.
    expect((await kith('people', 'erase', personId, '--yes')).stdout).toContain('is erased');
    const receipts = await kith('people', 'erasures');
    expect(receipts.stdout).toMatch(new RegExp(`${personId}.*operator`));
    expect(receipts.stdout).not.toContain('Pia');
    expect((await kith('people')).stdout).not.toContain(personId);
    const stranger = '00000000-0000-7000-8000-00000000dead';
    expect((await kith('people', 'erase', stranger, '--yes')).stderr).toContain(`no person ${stranger}`);
  });

  it('tells what became of a turn, and what is not delivered', async () => {
    const turn = await suite.say('Where did my answer go?', { messageId: 'cli-1' });
    expect((await kith('turn', 'list')).stdout).toContain(turn.turnId);
    const shown = await kith('turn', 'show', '--message', 'cli-1');
    expect(shown.stdout).toContain(`turn ${turn.turnId}: answered`);
    expect(shown.stdout).toMatch(/gate +proceed/);
    expect(shown.stdout).toMatch(/model +rehearsal answered/);
    const epochs = await kith('conversations', 'epochs', turn.conversationId);
    expect(epochs.stdout).toMatch(/^ +0 .*the beginning$/m);
    expect((await kith('conversations', 'restore', turn.conversationId, '7')).stderr).toContain('no epoch 7');
    const none = await kith('turn', 'show', '--message', 'never-sent');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no message never-sent')]);
    expect((await kith('turn', 'list', '--outcome', 'lost')).stderr).toContain(
      'Allowed choices are answered, apologised, silent, dropped',
    );
    expect((await kith('outbox', 'list')).code).toBe(0);
    const nowhere = '00000000-0000-7000-8000-000000000000';
    expect((await kith('outbox', 'show', nowhere)).stderr).toContain(`no delivery ${nowhere}`);
    const missing = await kith('outbox', 'retry', nowhere);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no delivery')]);
  });

  it('saves a companion’s mood as a picture', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kith-mood-'));
    try {
      const saved = await kith('mood', '--png', join(directory, 'mood.png'));
      expect([saved.code, saved.stderr]).toEqual([0, expect.stringContaining('written to')]);
      const png = await readFile(join(directory, 'mood.png'));
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      const nowhere = await kith('mood', '--png', join(directory, 'not/there.png'));
      expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('ENOENT')]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('exports memories into a file that nobody else may read, and shows the audit log', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kith-cli-'));
    try {
      const file = join(directory, 'memories.jsonl');
      expect((await kith('memories', 'export', file)).code).toBe(0);
      expect((await stat(file)).mode & 0o077).toBe(0);
      const audit = await kith('audit', '--limit', '5');
      expect([audit.code, audit.stdout]).toEqual([0, expect.stringContaining('/v1/')]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('keeps the last key that may run the suite', async () => {
    const [last] = await suite.query<{ id: string }>(`SELECT id FROM api_keys WHERE name = 'operator'`);
    const refused = await kith('keys', 'revoke', last!.id);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('first make one')]);
    expect((await kith('keys', 'list')).code).toBe(0);
  });

  it('looks after the suite: doctor names every dependency', async () => {
    const doctor = await kith('doctor');
    for (const part of ['gateway', 'memory', 'Redis', 'Postgres']) {
      expect(doctor.stdout.toLowerCase()).toContain(part.toLowerCase());
    }
  });

  it('says in one line what is wrong', async () => {
    environment['KITH_KEY'] = 'kth_wrong';
    const refused = await kith('memories', 'list');
    environment['KITH_KEY'] = suite.adminKey;
    expect(refused.code).toBe(2);
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect((await kith('memories', 'frobnicate')).code).toBe(2);
  });

  it('goes on talking while nobody knows the companions, and does not wait for a memory that is away', async () => {
    const [personality, memory] = (['personality', 'memory'] as const).map((name) =>
      suite.stack.service(name),
    );
    personality!.process.kill('SIGSTOP');
    try {
      const chat = await kith('chat', '--message', 'Are you still there?');
      expect([chat.code, chat.stdout.trim()]).toEqual([0, expect.stringMatching(/.+/)]);
    } finally {
      personality!.process.kill('SIGCONT');
    }
    const timed = async () => {
      const begun = performance.now();
      return { ...(await kith('memories', 'init')), tookMs: performance.now() - begun };
    };
    const usual = await timed();
    memory!.process.kill('SIGSTOP');
    try {
      const init = await timed();
      expect([init.code, init.stderr]).toEqual([1, expect.stringContaining('memory does not answer')]);
      expect(init.tookMs - usual.tookMs).toBeLessThan(8_000);
    } finally {
      memory!.process.kill('SIGCONT');
    }
  });
});
