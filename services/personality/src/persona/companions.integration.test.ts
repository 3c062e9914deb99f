import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { eventually, freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { CompanionsService } from './companions.service.js';
import { SHIPPED_FOLDER } from './load-personas.js';

const mira = JSON.parse(readFileSync(join(SHIPPED_FOLDER, 'mira.json'), 'utf8')) as object;
const silent = pino({ level: 'silent' });

let stores: FreshStores;
let database: Database;
let folder: string;

beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  folder = await mkdtemp(join(tmpdir(), 'kith-companions-'));
});

afterAll(async () => {
  await database?.close();
  await stores?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** A start of the service: reads the files and registers them. */
async function started(...folders: string[]): Promise<CompanionsService> {
  const companions = new CompanionsService(database, folders, silent);
  await companions.onApplicationBootstrap();
  await eventually('companions registered', () => {
    try {
      return companions.all();
    } catch {
      return null;
    }
  });
  return companions;
}

describe('companions at start', () => {
  it('keep their version over starts, and get a new one when their file changes', async () => {
    const file = join(folder, 'bo.json');
    await writeFile(file, JSON.stringify({ ...mira, id: 'bo' }));
    expect((await started(folder)).get('bo').view.version).toBe(1);
    expect((await started(folder)).get('bo').view.version).toBe(1);
    await writeFile(file, JSON.stringify({ ...mira, id: 'bo', tagline: 'Changed.' }));
    expect((await started(folder)).get('bo').view).toMatchObject({ version: 2, tagline: 'Changed.' });
  });

  it('count a change once when replicas start together', async () => {
    await writeFile(join(folder, 'cy.json'), JSON.stringify({ ...mira, id: 'cy' }));
    await started(folder);
    await writeFile(join(folder, 'cy.json'), JSON.stringify({ ...mira, id: 'cy', name: 'Cy' }));
    const versions = await Promise.all([started(folder), started(folder), started(folder)]);
    expect(versions.map((companions) => companions.get('cy').view.version)).toEqual([2, 2, 2]);
  });

  it('do not start without a valid file, and say what is wrong with those there are', async () => {
    const bad = await mkdtemp(join(tmpdir(), 'kith-companions-'));
    try {
      await writeFile(join(bad, 'bad.json'), '{ "id": "x" }');
      const companions = new CompanionsService(database, [bad], silent);
      await expect(companions.onApplicationBootstrap()).rejects.toThrow(
        /no valid persona file in .*\n {2}bad\.json: name: /,
      );
    } finally {
      await rm(bad, { recursive: true });
    }
  });

  it('are unavailable while Postgres is out of reach, and a stop does not wait for it', async () => {
    const away = new Database({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 });
    const companions = new CompanionsService(away, [SHIPPED_FOLDER], silent);
    await companions.onApplicationBootstrap();
    expect(() => companions.all()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    await companions.onApplicationShutdown();
    await away.close();
  });
});
