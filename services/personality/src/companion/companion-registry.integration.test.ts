import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Persona } from '@kith/characters';
import { Database } from '@kith/database';
import { Broadcasts, Neighbours } from '@kith/messaging';
import {
  eventually,
  type FreshStores,
  ifStarted,
  freshDatabase,
  type FreshDatabase,
  silentLogger,
} from '@kith/testing';
import { pino } from 'pino';
import { CompanionRecords } from '../store/companion-records.js';
import { CompanionRegistry } from './companion-registry.js';
import { SHIPPED_FOLDER } from '../persona/load-personas.js';

const mira = JSON.parse(readFileSync(join(SHIPPED_FOLDER, 'mira.json'), 'utf8')) as object;
const silent = pino({ level: 'silent' });
/** All replicas of this file hear each other. */
const broadcasts = new Broadcasts({
  redisUrl: '',
  service: 'personality',
  neighbours: new Neighbours(),
  logger: silentLogger,
});

let stores: FreshStores;
let database: Database;
let stop: FreshDatabase['stop'];
let folder: string;
const running: CompanionRegistry[] = [];

beforeAll(async () => {
  ({ stores, database, stop } = await freshDatabase());
  folder = await mkdtemp(join(tmpdir(), 'kith-companions-'));
});

afterEach(async () => {
  for (const companions of running.splice(0)) await companions.watch.stop();
});

afterAll(async () => {
  await ifStarted(stop)?.();
  if (folder) await rm(folder, { recursive: true });
});

/** A start of the service: reads the files and registers them. */
const started = (...folders: string[]) => startedOn(new CompanionRecords(database), folders);
async function startedOn(
  records: CompanionRecords,
  folders: string[],
  logger = silent,
): Promise<CompanionRegistry> {
  const companions = new CompanionRegistry(records, folders, 'UTC', broadcasts, logger);
  running.push(companions);
  await companions.watch.start();
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

  it('go on without one whose file is broken, and name that file until it is mended', async () => {
    const mixed = await mkdtemp(join(tmpdir(), 'kith-companions-'));
    try {
      await writeFile(join(mixed, 'di.json'), JSON.stringify({ ...mira, id: 'di' }));
      await writeFile(join(mixed, 'ed.json'), JSON.stringify({ ...mira, id: 'ed', name: '' }));
      const service = await started(mixed);
      expect(service.all().map(({ view }) => view.id)).not.toContain('ed');
      expect(() => service.watch.requireWholeFiles()).toThrow(/^ed\.json: name: /);
      await writeFile(join(mixed, 'ed.json'), JSON.stringify({ ...mira, id: 'ed', name: 'Ed' }));
      await eventually('it is there', () => service.all().some(({ view }) => view.id === 'ed'));
      expect(() => service.watch.requireWholeFiles()).not.toThrow();
    } finally {
      await rm(mixed, { recursive: true });
    }
  });

  it('are all there where a file holds signs that no database keeps, or begins with a mark of its encoding', async () => {
    const odd = await mkdtemp(join(tmpdir(), 'kith-companions-'));
    try {
      const tagline = 'Half of a \ud83d, \0 and all.';
      const extensions = { tavern: { 'a\0': ['\udc00'] } };
      await writeFile(join(odd, 'fi.json'), JSON.stringify({ ...mira, id: 'fi', tagline, extensions }));
      await writeFile(join(odd, 'gus.json'), `\uFEFF${JSON.stringify({ ...mira, id: 'gus' })}`);
      const service = await started(odd);
      expect(service.all().map(({ view }) => view.id)).toEqual(expect.arrayContaining(['fi', 'gus']));
      expect(service.get('fi').persona).toMatchObject({
        tagline: 'Half of a \ufffd,  and all.',
        extensions: { tavern: { a: ['\ufffd'] } },
      });
      expect(() => service.watch.requireWholeFiles()).not.toThrow();
    } finally {
      await rm(odd, { recursive: true });
    }
  });

  it('do not start without a valid file, and say what is wrong with those there are', async () => {
    const bad = await mkdtemp(join(tmpdir(), 'kith-companions-'));
    try {
      await writeFile(join(bad, 'bad.json'), '{ "id": "x" }');
      const companions = new CompanionRegistry(
        new CompanionRecords(database),
        [bad],
        'UTC',
        broadcasts,
        silent,
      );
      await expect(companions.watch.start()).rejects.toThrow(
        /no valid persona file in .*\n {2}bad\.json: name: /,
      );
    } finally {
      await rm(bad, { recursive: true });
    }
  });

  it('are unavailable while Postgres is out of reach, and a stop does not wait for it', async () => {
    const away = new Database({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 });
    const companions = new CompanionRegistry(
      new CompanionRecords(away),
      [SHIPPED_FOLDER],
      'UTC',
      broadcasts,
      silent,
    );
    await companions.watch.start();
    expect(() => companions.all()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    await companions.watch.stop();
    await away.close();
  });
});

describe('companions while the service runs', () => {
  const bo = (change: object = {}) => ({ ...mira, id: 'bo', name: 'Bo', ...change });
  const write = (persona: object) => writeFile(join(folder, 'bo.json'), JSON.stringify(persona));
  const views = (service: CompanionRegistry) => service.get('bo').view;

  it('take up a file that changes, and keep what they are while it is broken', async () => {
    await write(bo({ tagline: 'Before.' }));
    const service = await started(folder);
    const { version } = views(service);
    await writeFile(join(folder, 'bo.json'), '{ "id": "bo" }');
    await write(bo({ tagline: 'After.' }));
    await eventually('the change', () => views(service).tagline === 'After.');
    expect(views(service).version).toBe(version + 1);
    await writeFile(join(folder, 'bo.json'), '{ "id": "bo", "name": 7 }');
    await write(bo({ tagline: 'Mended.' }));
    await eventually('the mended file', () => views(service).tagline === 'Mended.');
  });

  it('are edited at one replica and are the same at the other, until the file changes', async () => {
    await write(bo());
    const [one, other] = [await started(folder), await started(folder)];
    const before = views(one).version;
    const edited = await one.edit('bo', bo({ tagline: 'Edited.' }));
    expect(edited.view).toMatchObject({ tagline: 'Edited.', version: before + 1 });
    await eventually('the edit at the other', () => views(other).version === before + 1);
    expect(views(other).tagline).toBe('Edited.');
    const restarted = await started(folder);
    expect(views(restarted)).toMatchObject({ tagline: 'Edited.', version: before + 1 });
    await write(bo({ tagline: 'By file.' }));
    await eventually(
      'the file',
      () => views(one).tagline === 'By file.' && views(one).version === before + 2,
    );
  });

  it('go back to an earlier version, as a new one, and tell which there were', async () => {
    await write(bo({ tagline: 'First.' }));
    const service = await started(folder);
    const first = views(service).version;
    await service.edit('bo', bo({ tagline: 'Second.' }));
    const back = await service.rollBack('bo', first);
    expect(back.view).toMatchObject({ tagline: 'First.', version: first + 2 });
    const { versions } = await service.history('bo');
    expect(versions.slice(0, 3).map(({ version, origin, inForce }) => [version, origin, inForce])).toEqual([
      [first + 2, 'rollback', true],
      [first + 1, 'edit', false],
      [first, 'file', false],
    ]);
    expect((await service.persona('bo', first + 1)).persona).toMatchObject({ tagline: 'Second.' });
    await expect(service.rollBack('bo', 900)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are created without a file, at every replica, edited, and retired', async () => {
    await write(bo());
    const [one, other] = [await started(folder), await started(folder)];
    const created = await one.create({ ...mira, id: 'nell', name: 'Nell', extensions: { tavern: { a: 1 } } });
    expect(created.view).toMatchObject({ id: 'nell', version: 1 });
    await eventually('Nell at the other', () => other.all().some(({ view }) => view.id === 'nell'));
    for (const replica of [one, other]) {
      expect(views(replica).fromFile).toBe(true);
      expect(replica.get('nell').view.fromFile).toBeUndefined();
    }
    await expect(other.create({ ...mira, id: 'nell' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(one.create({ ...mira, id: 'bo' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(one.create({ ...mira, id: 'N' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(one.create({ ...mira, id: 'cy', colour: 'red' })).rejects.toThrow(
      'colour: is not a known field',
    );
    await write(bo({ tagline: 'Another file changed.' }));
    await eventually('the file', () => views(one).tagline === 'Another file changed.');
    expect(one.get('nell').view.name).toBe('Nell');
    await other.edit('nell', { ...mira, id: 'nell', name: 'Nelly' });
    const restarted = await started(folder);
    expect(restarted.get('nell').view).toMatchObject({ name: 'Nelly', version: 2 });
    expect(restarted.get('nell').view.fromFile).toBeUndefined();
    expect((await restarted.persona('nell', 1)).persona).toMatchObject({ extensions: { tavern: { a: 1 } } });

    await expect(restarted.retire('bo')).rejects.toMatchObject({
      message: expect.stringContaining('a file'),
    });
    await restarted.retire('nell');
    await eventually('one without Nell', () => !one.all().some(({ view }) => view.id === 'nell'));
    expect((await started(folder)).all().map(({ view }) => view.id)).not.toContain('nell');
    expect((await one.create({ ...mira, id: 'nell', name: 'Nell' })).view.version).toBe(3);
    await one.setPaused('nell', true);
    await one.retire('nell');
    expect((await one.create({ ...mira, id: 'nell', name: 'Nell' })).view.pausedSince).toBeUndefined();
    expect((await started(folder)).get('nell').view.pausedSince).toBeUndefined();
    await one.retire('nell');
  });

  it('stay as they became here while another replica’s edits were read', async () => {
    await write(bo());
    class WatchedRecords extends CompanionRecords {
      onVersions: ((versions: Awaited<ReturnType<CompanionRecords['versions']>>) => unknown) | undefined;
      override async versions() {
        const versions = await super.versions();
        await this.onVersions?.(versions);
        return versions;
      }
    }
    const other = await started(folder);
    const nell = (name: string) => ({ ...mira, id: 'nell', name });
    const { version } = (await other.create(nell('Nell'))).view;
    const records = new WatchedRecords(database);
    const one = await startedOn(records, [folder]);
    /** Has this happen once an edit of the other replica was read. Returns the versions that are in force from then on. */
    const after = async (happens: () => Promise<unknown>, name: string) => {
      const seen: (number | undefined)[] = [];
      let isBegun = false;
      let isDone = false;
      records.onVersions = async (versions) => {
        const here = one.all().find(({ view }) => view.id === 'nell')?.view.version;
        if (isDone) seen.push(here);
        else if (!isBegun && versions.get('nell')?.version !== here) {
          isBegun = true;
          await happens();
          isDone = true;
        }
      };
      await other.edit('nell', nell(name));
      await eventually('it was looked at again', () => seen.length > 0);
      return new Set(seen);
    };
    const edited = await after(() => one.edit('nell', nell('Edited here')), 'Edited there');
    expect(edited).toEqual(new Set([version + 2]));
    await eventually('the edit at the other', () => other.get('nell').view.version === version + 2);
    expect(await after(() => one.retire('nell'), 'Edited again')).toEqual(new Set([undefined]));
  });

  it('are changed once that is stored, and here as soon as the table can be read again', async () => {
    await write(bo());
    class LostRecords extends CompanionRecords {
      isLost = false;
      override versions() {
        return this.isLost ? Promise.reject(new Error('no connection is free')) : super.versions();
      }
    }
    const records = new LostRecords(database);
    const service = await startedOn(records, [folder]);
    const { version } = views(service);
    records.isLost = true;
    expect((await service.edit('bo', bo({ tagline: 'Stored.' }))).view).toMatchObject({
      tagline: 'Stored.',
      version: version + 1,
      fromFile: true,
    });
    const { pausedSince } = (await service.setPaused('bo', true)).view;
    expect(pausedSince).toEqual(expect.any(String));
    expect((await service.create({ ...mira, id: 'tom' })).view.id).toBe('tom');
    records.isLost = false;
    await eventually('the changes', () => service.all().some(({ view }) => view.id === 'tom'));
    expect(views(service)).toMatchObject({ tagline: 'Stored.', version: version + 1, pausedSince });
    records.isLost = true;
    await service.retire('tom');
    expect((await service.setPaused('bo', false)).view.pausedSince).toBeUndefined();
    records.isLost = false;
    await eventually('the end of Tom', () => !service.all().some(({ view }) => view.id === 'tom'));
    expect(views(service).pausedSince).toBeUndefined();
  });

  it('have no pause from a replica that did not know yet that they were retired', async () => {
    await write(bo());
    const [one, other] = [await started(folder), await started(folder)];
    await one.create({ ...mira, id: 'una' });
    await eventually('Una at the other', () => other.all().some(({ view }) => view.id === 'una'));
    await one.retire('una');
    await expect(other.setPaused('una', true)).rejects.toMatchObject({ code: 'not_found' });
    expect((await one.create({ ...mira, id: 'una' })).view.pausedSince).toBeUndefined();
    await one.retire('una');
  });

  it('are paused at every replica, stay so through an edit and a start, and resumed', async () => {
    await write(bo({ tagline: 'Before its pause.' }));
    const [one, other] = [await started(folder), await started(folder)];
    const { pausedSince } = (await one.setPaused('bo', true)).view;
    expect(pausedSince).toEqual(expect.any(String));
    await eventually('the pause at the other', () => views(other).pausedSince === pausedSince);
    await other.edit('bo', bo({ tagline: 'Edited in its pause.' }));
    expect((await other.setPaused('bo', true)).view.pausedSince).toBe(pausedSince);
    const restarted = await started(folder);
    expect(views(restarted)).toMatchObject({ tagline: 'Edited in its pause.', pausedSince });
    expect((await restarted.setPaused('bo', false)).view.pausedSince).toBeUndefined();
    await eventually('the resumption at the first', () => views(one).pausedSince === undefined);
    await expect(one.setPaused('nobody', true)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are not edited from a version that is no longer in force, at whichever replica', async () => {
    await write(bo({ tagline: 'Opened by two.' }));
    const [one, other] = [await started(folder), await started(folder)];
    const { version } = views(one);
    const done = await Promise.allSettled([
      one.edit('bo', bo({ tagline: 'By one.' }), version),
      other.edit('bo', bo({ tagline: 'By the other.' }), version),
    ]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(done.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'conflict',
        message: expect.stringContaining(`bo is version ${version + 1} by now, and this was made from`),
      },
    });
    const tagline = done[0].status === 'fulfilled' ? 'By one.' : 'By the other.';
    // The same once more, as after an answer that was lost, is no conflict.
    expect((await one.edit('bo', bo({ tagline }), version)).view.version).toBe(version + 1);
    expect((await one.edit('bo', bo({ tagline: 'Next.' }), version + 1)).view.version).toBe(version + 2);
    expect((await one.edit('bo', bo({ tagline: 'Whatever it was.' }))).view.version).toBe(version + 3);
  });

  it('count an edit that changes nothing as none', async () => {
    await write(bo());
    const service = await started(folder);
    const { version } = views(service);
    expect((await service.edit('bo', bo())).view.version).toBe(version);
  });

  it('are edited by a file that was exported, whose lore is no part of the persona', async () => {
    await write(bo());
    const service = await started(folder);
    const eliza = { name: 'Bo' };
    const lore = [{ name: 'Mill', keys: ['mill'], content: 'It burnt.'.repeat(50_000) }];
    await service.edit('bo', bo({ greeting: 'You again.', extensions: { eliza, lore } }));
    const { persona } = await service.persona('bo');
    expect(persona).toMatchObject({ greeting: 'You again.' });
    expect(persona['extensions']).toEqual({ eliza });
  });

  it('leave out the lore of a file that was exported, and say so; its hash is what it was with it', async () => {
    const lore = [{ name: 'Mill', keys: ['mill'], content: 'It burnt.' }];
    const whole = bo({ tagline: 'With lore.', extensions: { eliza: { name: 'Bo' }, lore } });
    await write(whole);
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const service = await startedOn(new CompanionRecords(database), [folder], logger);
    expect((await service.persona('bo')).persona['extensions']).toEqual({ eliza: { name: 'Bo' } });
    expect(lines.filter((line) => line.includes('"companionId":"bo"'))).toEqual([
      expect.stringContaining('kith companion import FILE --replace'),
    ]);
    const [row] = await database.reader('system').$queryRaw<{ hash: string }[]>`
      SELECT hash FROM companions WHERE companion_id = 'bo'`;
    const written = JSON.stringify(Persona.parse(whole));
    expect(row?.hash).toBe(hash('sha256', written));
  });

  it('refuse an edit by field', async () => {
    await write(bo());
    const service = await started(folder);
    await expect(service.edit('bo', { ...bo({ id: 'cy' }), traits: { openness: 2 } })).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        errors: expect.arrayContaining([{ field: 'traits.openness', message: expect.any(String) }]),
      },
    });
    await expect(service.edit('bo', bo({ id: 'cy' }))).rejects.toMatchObject({
      details: { errors: [{ field: 'id', message: expect.stringContaining('must stay bo') }] },
    });
  });

  it('live in the suite’s zone until their persona names another, by its name or by a city', async () => {
    await write(bo());
    const service = await started(folder);
    expect(views(service).timeZone).toBe('UTC');
    expect((await service.edit('bo', bo({ timeZone: 'tokyo' }))).view.timeZone).toBe('Asia/Tokyo');
    expect((await service.persona('bo')).persona).toMatchObject({ timeZone: 'Asia/Tokyo' });
    await expect(service.edit('bo', bo({ timeZone: 'Europe/Berlni' }))).rejects.toMatchObject({
      details: { errors: [{ field: 'timeZone', message: 'not a time zone: did you mean Europe/Berlin?' }] },
    });
  });

  it('have the seeds that their persona names, with a new strength from the version that gives it', async () => {
    const seeds = (maps: number) => ({
      seeds: [
        { kind: 'interest', text: 'maps', strength: maps },
        { kind: 'interest', text: 'tea', strength: 0.6 },
      ],
    });
    await stores.query(
      `INSERT INTO quirks (id, companion_id, kind, text, strength, origin, day)
        VALUES (gen_random_uuid(), 'bo', 'interest', 'tea', 0.3, 'reflection', '2026-05-04')`,
    );
    await write(bo({ quirks: seeds(0.4) }));
    const service = await started(folder);
    const kept = () =>
      stores.query(
        "SELECT text, strength, origin FROM quirks WHERE companion_id = 'bo' AND kind = 'interest' ORDER BY text",
      );
    const tea = { text: 'tea', strength: 0.6, origin: 'persona' };
    expect(await kept()).toEqual([{ text: 'maps', strength: 0.4, origin: 'persona' }, tea]);
    // As nights have left it.
    await stores.query("UPDATE quirks SET strength = 0.5 WHERE text = 'maps'");
    await started(folder);
    await service.edit('bo', bo({ quirks: seeds(0.4), tagline: 'As before.' }));
    expect(await kept()).toMatchObject([{ strength: 0.5 }, tea]);
    await service.edit('bo', bo({ quirks: seeds(0.9) }));
    expect(await kept()).toMatchObject([{ strength: 0.9 }, tea]);
  });

  it('have a seed once that their persona names twice', async () => {
    const seed = (text: string, strength: number) => ({ kind: 'interest', text, strength });
    await write(bo({ quirks: { seeds: [seed('Kites', 0.4), seed('kites', 0.8)] } }));
    await started(folder);
    const kept = await stores.query(
      "SELECT strength FROM quirks WHERE companion_id = 'bo' AND text = 'kites'",
    );
    expect(kept).toEqual([{ strength: 0.4 }]);
  });
});
