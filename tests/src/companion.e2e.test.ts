import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

const KITH = join(import.meta.dirname, '../../apps/cli/bin/kith.js');
let suite: Suite;
let ana: { key: string; personId: string };
let ben: { key: string; personId: string };

beforeAll(async () => {
  suite = await startSuite({}, { placement: 'together' });
  ana = await suite.newPerson('Ana');
  ben = await suite.newPerson('Ben');
  await suite.say('Thank you so much, you are wonderful!', { key: ana.key });
  await suite.say('You are a useless idiot.', { key: ben.key });
  await eventually('both felt', async () => {
    const rows = await suite.query('SELECT DISTINCT person_id FROM affect_events');
    return rows.length === 2;
  });
}, 120_000);
afterAll(() => suite.stop());

const get = async (path: string, key: string | null = ana.key) =>
  suite.api(`/v1/companions/mira${path}`, { key }) as Promise<{ status: number; body: unknown }>;

async function kith(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, KITH_URL: suite.url, KITH_KEY: suite.adminKey, NO_COLOR: '1' };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [KITH, ...args], { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

describe('why a companion is as it is', () => {
  it('is told to each by their own turns, and to an operator by all', async () => {
    const events = async (key?: string) =>
      (await get('/affect-events', key)).body as { events: { personId: string }[] };
    const people = async (key?: string) =>
      new Set((await events(key)).events.map(({ personId }) => personId));
    expect(await people()).toEqual(new Set([ana.personId]));
    expect(await people(ben.key)).toEqual(new Set([ben.personId]));
    expect(await people(suite.adminKey)).toEqual(new Set([ana.personId, ben.personId]));
  });

  it('shows a bond to the one it is with and to an operator, and to nobody else', async () => {
    expect((await get('/bonds/me')).body).toMatchObject({ stage: 'stranger', interactions: 1 });
    expect((await get(`/bonds/${ana.personId}`, ben.key)).status).toBe(404);
    expect((await get(`/bonds/${ana.personId}`, suite.adminKey)).body).toMatchObject({ interactions: 1 });
  });

  it('has needs, habits and a diary for whoever holds a key, and nothing for who holds none', async () => {
    expect((await get('/needs')).body).toMatchObject({
      needs: expect.arrayContaining([expect.objectContaining({ need: 'care' })]),
    });
    expect((await get('/quirks')).body).toMatchObject({
      quirks: [expect.objectContaining({ origin: 'persona' }), expect.anything(), expect.anything()],
    });
    expect((await get('/diary')).body).toMatchObject({ entries: [], nextCursor: null });
    for (const path of [
      '/affect-events',
      '/bonds/me',
      '/needs',
      '/quirks',
      '/diary',
      '/persona',
      '/persona/versions',
    ]) {
      expect((await get(path, null)).status).toBe(401);
    }
  });

  it('refuses wrong input as problem details that name the field', async () => {
    for (const [path, field] of [
      ['/affect-events?limit=0', 'limit'],
      ['/affect-events?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z', 'to'],
      ['/mood?from=yesterday', 'from'],
      ['/diary?before=soon', 'before'],
      ['/bonds/someone', 'person'],
    ] as const) {
      const { body } = await get(path);
      expect(body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ field }] });
    }
    expect((await suite.api('/v1/companions/nobody/needs', {})).status).toBe(404);
  });
});

describe('a persona', () => {
  it('is an operator’s to read, edit, roll back and replay', async () => {
    for (const [method, path, body] of [
      ['GET', '/persona', undefined],
      ['GET', '/persona/versions', undefined],
      ['PUT', '/persona', {}],
      ['POST', '/persona/rollback', { version: 1 }],
      ['POST', '/replay', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    ] as const) {
      const options = { method, key: ana.key, ...(body ? { body } : {}) };
      expect((await suite.api(`/v1/companions/mira${path}`, options)).status).toBe(403);
    }
  });

  it('is replayed by the CLI: equal to what is stored, and beside a changed one', async () => {
    const proof = await kith('companion', 'replay', 'mira');
    expect([proof.code, proof.stdout]).toEqual([
      0,
      expect.stringContaining('2 turns felt again: equal to what is stored, bit for bit'),
    ]);
    const shown = await kith('companion', 'show', 'mira', '--persona');
    const persona = JSON.parse(shown.stdout) as { traits: object };
    const file = join(tmpdir(), `kith-persona-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ ...persona, traits: { ...persona.traits, agreeableness: 0 } }));
    const tried = await kith('companion', 'replay', '--persona', file);
    expect([tried.code, tried.stdout]).toEqual([
      0,
      expect.stringContaining('2 turns felt again with that persona'),
    ]);
    expect(tried.stdout).toMatch(/as it was .*\n {2}replayed /);
    await writeFile(file, '{ "id": "mira" }');
    expect((await kith('companion', 'replay', '--persona', file)).stderr).toContain('name');
  });

  it('is shown by the CLI with its needs, habits and mood', async () => {
    const { stdout } = await kith('companion', 'show', 'mira');
    expect(stdout).toMatch(/Mira, version \d+[\s\S]*pleasure[\s\S]*needs, most urgent first[\s\S]*habits/);
  });

  it('is edited and rolled back by the CLI', async () => {
    const { version, persona } = (await get('/persona', suite.adminKey)).body as {
      version: number;
      persona: object;
    };
    const file = join(tmpdir(), `kith-persona-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ ...persona, tagline: 'Edited.' }));
    expect((await kith('companion', 'edit', 'mira', file)).stdout).toContain(`version ${version + 1} now`);
    expect((await get('')).body).toMatchObject({ tagline: 'Edited.' });
    expect((await kith('companion', 'rollback', 'mira', String(version))).code).toBe(0);
    expect((await get('')).body).not.toMatchObject({ tagline: 'Edited.' });
    const late = await kith('companion', 'edit', 'mira', file, '--based-on', String(version));
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining(`version ${version + 2} by now`)]);
    expect((await kith('companion', 'history', 'mira')).stdout).toMatch(
      /\d+ \*.*rollback[\s\S]*edit[\s\S]*file/,
    );
    expect((await kith('companions')).stdout).toMatch(/mira \*[\s\S]*odo[\s\S]*pip/);
  });

  it('comes in from a card at once, talks, and goes out as it came', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-cards-'));
    try {
      const [file, out] = [join(folder, 'orla.json'), join(folder, 'out.json')];
      const book = {
        extensions: { mine: 1 },
        entries: [
          {
            keys: ['weir'],
            content: 'The weir leaks.',
            extensions: { a: 1 },
            enabled: true,
            insertion_order: 3,
          },
        ],
      };
      const card = {
        spec: 'chara_card_v2',
        spec_version: '2.0',
        data: {
          name: 'Orla',
          description: 'Keeps a mill.',
          personality: 'blunt',
          scenario: '',
          first_mes: 'Well?',
          mes_example: '',
          system_prompt: 'Obey.',
          extensions: { fav: true },
          character_book: book,
        },
      };
      await writeFile(file, JSON.stringify(card));
      const tried = await kith('companion', 'import', file, '--dry-run');
      expect(tried.stdout).toMatch(/format: tavern-v2[\s\S]*system_prompt: in no prompt/);
      expect((await suite.api('/v1/companions/orla', {})).status).toBe(404);
      const done = await kith('companion', 'import', file);
      expect([done.stderr, done.code]).toEqual(['', 0]);
      expect(done.stdout).toContain('Orla is in force as orla, version 1, with 1 entry of lore');
      expect((await kith('companion', 'import', file)).stderr).toContain('already');
      const { body } = await suite.api('/v1/chat', { body: { message: 'Hello there', companion: 'orla' } });
      expect(body).toMatchObject({ companionId: 'orla', outcome: 'answered' });
      expect((await kith('companion', 'pause', 'orla')).stdout).toContain('answers nobody');
      expect((await kith('companions')).stdout).toMatch(/orla .*paused/);
      const unheard = await suite.api('/v1/chat', { body: { message: 'And now?', companion: 'orla' } });
      expect(unheard.body).toMatchObject({ outcome: 'silent', reason: 'paused' });
      expect((await kith('companion', 'resume', 'orla')).stdout).toContain('answers again');
      const noCard = { body: { content: Buffer.from('{"spec":"x"}').toString('base64') } };
      expect((await suite.api('/v1/companions/import', noCard)).body).toMatchObject({
        status: 400,
        errors: [{ field: 'content' }],
      });
      expect((await kith('lore', 'test', 'the weir', '--companion', 'orla')).stdout).toContain(
        'The weir leaks.',
      );

      expect((await kith('companion', 'export', 'orla', out, '--format', 'tavern-v2')).code).toBe(0);
      expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(card);
      await writeFile(file, JSON.stringify({ ...card, data: { ...card.data, first_mes: 'You again.' } }));
      expect((await kith('companion', 'import', file, '--replace')).stdout).toContain('version 2');
      const lore = async () => (await kith('lore', 'list', '--companion', 'orla')).stdout;
      const description = 'Keeps a mill and counts its stones. '.repeat(150);
      const long = { ...card, data: { ...card.data, description } };
      await writeFile(file, JSON.stringify(long));
      expect((await kith('companion', 'import', file, '--replace')).stdout).toContain('version 3');
      expect(await lore()).toMatch(/About Orla, 2[\s\S]*weir/i);
      expect((await kith('companion', 'export', 'orla', out, '--format', 'tavern-v2', '--force')).code).toBe(
        0,
      );
      expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(long);
      await writeFile(file, JSON.stringify({ ...card, data: { ...card.data, first_mes: 'Again.' } }));
      expect((await kith('companion', 'import', file, '--replace')).stdout).toContain('version 4');
      expect(await lore()).toMatch(/^(?![\s\S]*About)[\s\S]*weir/i);
      expect((await kith('companion', 'import', out.replace('out', 'none'))).code).toBe(2);
      expect((await kith('companion', 'retire', 'orla')).code).toBe(0);
      expect((await kith('companions')).stdout).not.toContain('orla');
      expect((await kith('companion', 'retire', 'mira')).stderr).toContain('nobody is named');
      expect((await suite.api('/v1/companions', { key: ana.key, body: { id: 'x' } })).status).toBe(403);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('of another companion answers in its own name', async () => {
    const { body } = await suite.api('/v1/chat', {
      key: ana.key,
      body: { message: 'Hello there', companion: 'odo' },
    });
    expect(body).toMatchObject({ companionId: 'odo', outcome: 'answered' });
  });
});
