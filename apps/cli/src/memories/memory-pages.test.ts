import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MEMORY, refusal, useScriptedApi } from '../e2e/scripted-api.js';
import { resolveId } from './memory-pages.js';

const ID = '019a0000-0000-7000-8000-0000aabbccdd';

describe('resolveId', () => {
  it('finds the one id with that ending, and takes a full one as it is', () => {
    expect(resolveId('aabbccdd', [ID, '019a0000-0000-7000-8000-000011112222'])).toBe(ID);
    expect(resolveId(ID, [])).toBe(ID);
  });

  it.each([
    ['ffff', 'no memory has the id'],
    ['dd', 'no memory has the id'],
    ['ccdd', 'more than one memory'],
  ])('refuses %p', (given, message) => {
    expect(() => resolveId(given, [ID, '019a0000-0000-7000-8000-00000000ccdd'])).toThrow(message);
  });
});

describe('memories with one companion', () => {
  const { api, cli } = useScriptedApi();
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kith-pages-'))));
  beforeEach(() => {
    api.answers['GET /v1/memories'] = (_, query) => {
      if (query.get('companion') === 'typo')
        return refusal(404, 'not_found', 'there is no companion "typo"; there is mira');
      const isKept =
        query.get('companion') === 'retired' && (query.get('kind') ?? MEMORY.kind) === MEMORY.kind;
      const memories = isKept ? [{ ...MEMORY, companionId: 'retired' }] : [];
      return { body: { memories, nextCursor: null, total: memories.length } };
    };
  });
  afterAll(() => rm(folder, { recursive: true }));

  const kith = (...args: string[]) => cli(['memories', ...args]);

  it.each(['list', 'stats', 'export'])('%s: one that there is not is refused', async (command) => {
    expect(await kith(command, '--companion', 'typo')).toMatchObject({
      code: 1,
      out: '',
      notes: expect.stringContaining('there is no companion "typo"; there is mira'),
    });
  });

  it('leaves no file for one that there is not', async () => {
    const file = join(folder, 'typo.jsonl');
    expect(await kith('export', file, '--companion', 'typo')).toMatchObject({ code: 1 });
    await expect(access(file)).rejects.toThrow('ENOENT');
  });

  it('none at all is told from none that was asked for', async () => {
    expect(await kith('list')).toMatchObject({ code: 0, notes: 'there are no memories yet\n' });
    expect(await kith('stats')).toMatchObject({ code: 0, notes: 'there are no memories yet\n' });
    expect(await kith('list', '--shelf', 'archive')).toMatchObject({ code: 0, notes: 'no such memories\n' });
  });

  it('one that is there may have none, and one out of service may have some', async () => {
    expect(await kith('list', '--companion', 'mira')).toMatchObject({ code: 0, notes: 'no such memories\n' });
    expect(await kith('stats', '--companion', 'mira')).toMatchObject({
      code: 0,
      notes: 'no such memories\n',
    });
    expect(await kith('stats', '--companion', 'retired')).toMatchObject({ code: 0 });
    expect(await kith('list', '--companion', 'retired', '--kind', 'lore')).toMatchObject({
      code: 0,
      notes: 'no such memories\n',
    });
  });
});
