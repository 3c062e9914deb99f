import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadPersonas, SHIPPED_FOLDER, stampOf } from './load-personas.js';

const mira = JSON.parse(readFileSync(join(SHIPPED_FOLDER, 'mira.json'), 'utf8')) as object;

describe('loading personas', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kith-companions-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (file: string, persona: object) => writeFile(join(folder, file), JSON.stringify(persona));

  it('finds the shipped companions without a fault', async () => {
    const { personas, problems } = await loadPersonas([SHIPPED_FOLDER]);
    expect(personas.map(({ id }) => id)).toEqual(['mira', 'odo', 'pip']);
    expect(problems).toEqual([]);
  });

  it('lets an operator add companions and rewrite a shipped one', async () => {
    await write('other.json', { ...mira, id: 'bo', name: 'Bo' });
    await write('mine.json', { ...mira, tagline: 'Rewritten.' });
    const { personas } = await loadPersonas([SHIPPED_FOLDER, folder]);
    expect(personas.map(({ id, tagline }) => [id, tagline])).toEqual([
      ['bo', expect.any(String)],
      ['mira', 'Rewritten.'],
      ['odo', expect.any(String)],
      ['pip', expect.any(String)],
    ]);
  });

  it('reports a bad file by name and field, and loads the others', async () => {
    await write('bad.json', { ...mira, id: 'Not An Id' });
    await write('good.json', { ...mira, id: 'bo' });
    await writeFile(join(folder, 'notes.txt'), 'not a persona');
    const { personas, problems } = await loadPersonas([folder]);
    expect(personas.map(({ id }) => id)).toEqual(['bo']);
    expect(problems).toEqual([expect.stringMatching(/^bad\.json: id: /)]);
  });

  it('reports the second file of one id', async () => {
    await write('a.json', { ...mira, name: 'First' });
    await write('b.json', { ...mira, name: 'Second' });
    const { personas, problems } = await loadPersonas([folder]);
    expect(personas.map(({ name }) => name)).toEqual(['First']);
    expect(problems).toEqual(['b.json: id: mira is already the companion of a.json']);
  });

  it('reports what is no readable file, and loads the others', async () => {
    await mkdir(join(folder, 'folder.json'));
    await symlink(join(folder, 'missing'), join(folder, 'link.json'));
    await write('good.json', { ...mira, id: 'bo' });
    const { personas, problems } = await loadPersonas([folder]);
    expect(personas.map(({ id }) => id)).toEqual(['bo']);
    expect(problems).toEqual([
      expect.stringMatching(/^folder\.json: can't be read: /),
      expect.stringMatching(/^link\.json: can't be read: /),
    ]);
    expect(await stampOf([folder])).toContain('good.json');
  });

  it('reports a folder that is not there', async () => {
    const { personas, problems } = await loadPersonas([join(folder, 'missing')]);
    expect(personas).toEqual([]);
    expect(problems).toEqual([expect.stringContaining("missing: can't be read")]);
  });
});
