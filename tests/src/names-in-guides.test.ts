import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as contracts from '@kith/contracts';
import { codeOf, PAGES, read, root } from './guide-pages.js';

/** Folders of the checkout that hold code, and what it reads. */
const FOLDERS = ['services', 'apps', 'libs', 'tests', 'bench', 'tools', 'scripts', 'prisma', 'docs', 'hooks'];
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|generated|results|test-results)(?:\/|$)/;
const SOURCE = /\.(?:[cm]?js|tsx?|prisma|sql|ya?ml|json|css)$|^scripts\//;
/** Names that belong to others, stand for one of the reader's own, or are not made yet. */
const NOT_NAMES = [
  'controllerClasses',
  'zodSchema',
  'pg_stat_wal',
  'smaps_rollup',
  'companion/greeting.ts',
  'backendFactory',
  'idempotentHint',
  'strictTypeChecked',
  'log_min_duration_statement',
  // Replaced by the decisions that name them.
  'provideClass',
  'NIGHT_CRON',
];

const files = FOLDERS.flatMap(filesIn);
const paths = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
const spans = PAGES.flatMap(codeOf).filter(({ isBlock }) => !isBlock);
/** Words of all spans, such as the paths and names of `a.ts, b.ts` and `call(one, { two })`. */
const words = spans.flatMap(({ page, text }) =>
  text.split(/[\s,;()[\]{}=|"']+/).map((word) => ({ page, word: word.replace(/^\.\//, '') })),
);

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .map((entry) => ({ entry, path: `${folder}/${entry.name}` }))
    .filter(({ path }) => !NOT_OURS.test(path))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? filesIn(path) : [path]));
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [`${folder}/`, ...foldersOf(folder)];
}

/** Finds a path as a page may write it: from the root, from its own part, or, where no part is the page's, in any. */
function isThere(page: string, path: string): boolean {
  const part = /^(?:services|apps|libs|tests)\/[^/]+\//.exec(page)?.[0] ?? '';
  if ([path, `${path}/`].some((one) => paths.has(one)) || existsSync(join(root, path))) return true;
  return [...paths].some((known) => known.startsWith(part) && `/${known}`.endsWith(`/${path}`));
}

describe('paths', () => {
  it('that are named exist', () => {
    const isPath = (word: string) =>
      new RegExp(`^(?:${FOLDERS.join('|')})/[\\w./-]+$`).test(word) ||
      /^[\w.-][\w./-]*\.(?:tsx?|mjs|prisma|css)$/.test(word) ||
      /^(?:[a-z][\w-]*\/)+$/.test(word);
    const named = words.filter(
      ({ word }) =>
        isPath(word) && !NOT_OURS.test(word) && !/[A-Z]{4}/.test(word) && !NOT_NAMES.includes(word),
    );
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter(({ page, word }) => !isThere(page, word))).toEqual([]);
  });
});

describe('names', () => {
  it('of functions, classes, fields, columns and constants stand in the source', () => {
    const source = files.filter((file) => SOURCE.test(file) && !file.startsWith('docs/'));
    source.push('.env.example');
    const known = new Set(
      source.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []),
    );
    const named = words.flatMap(({ page, word }) =>
      [...word.matchAll(/(?<![\w-])[A-Za-z]*(?:[a-z][A-Z]|[a-z]_[a-z]|[A-Z]_[A-Z])\w*(?<!_)(?![\w-])/g)].map(
        ([name]) => ({ page, name }),
      ),
    );
    expect(named.length).toBeGreaterThan(150);
    expect(named.filter(({ name }) => !known.has(name) && !NOT_NAMES.includes(name))).toEqual([]);
  });
});

/** Services, each with the owners in the names of its requests, events and jobs. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  gateway: ['gateway'],
  memory: ['memory'],
  personality: ['personality'],
  embedding: ['embedding'],
  'proactive-scheduler': ['outreach', 'jobs'],
  'discord-bot': ['discord'],
};
const PATTERNS = Object.entries(contracts)
  .filter(([name]) => name.endsWith('Contract'))
  .flatMap(([, contract]) => Object.values(contract as Record<string, { pattern: string }>))
  .map(({ pattern }) => pattern);

describe('requests, events and jobs', () => {
  it.each(Object.entries(OWNERS))('of %s are all named on its page', (service, owners) => {
    const text = read(`services/${service}/README.md`);
    const missing = PATTERNS.filter((pattern) => {
      const [owner, name] = pattern.split('.') as [string, string];
      return owners.includes(owner) && !text.includes(`\`${pattern}\``) && !text.includes(`\`${name}\``);
    });
    expect(missing).toEqual([]);
  });

  it('that are named exist', () => {
    const isPattern = new RegExp(`^(?:${Object.values(OWNERS).flat().join('|')})\\.[a-zA-Z-]+$`);
    const named = words.filter(
      ({ word }) => isPattern.test(word) && !word.endsWith('.ts') && !word.endsWith('.prisma'),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ word }) => !PATTERNS.includes(word))).toEqual([]);
  });
});

describe('rooms', () => {
  it('are named on the page of their service, from the bottom up', async () => {
    const { LEVELS } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
      LEVELS: Readonly<Record<string, readonly (readonly string[])[]>>;
    };
    for (const part of [...Object.keys(OWNERS).map((name) => `services/${name}`), 'apps/cli']) {
      const levels = LEVELS[part.split('/')[1]!] ?? [];
      const named = roomsOn(`${part}/README.md`);
      const levelOf = (room: string) => levels.findIndex((level) => level.includes(room));
      expect({ part, rooms: named.toSorted() }).toEqual({ part, rooms: levels.flat().toSorted() });
      expect({ part, rooms: named }).toEqual({
        part,
        rooms: named.toSorted((a, b) => levelOf(a) - levelOf(b)),
      });
    }
  });

  /** Reads the first cells of a table, such as `tools/web/`, of rows that tell of rooms. */
  function roomsOn(page: string): string[] {
    const rows = [...read(page).matchAll(/^\| (.+?) \|/gm)].map(([, cell]) => cell!);
    return rows
      .filter((cell) => /^\[?`[a-z/-]+\/`/.test(cell))
      .flatMap((cell) => [...cell.matchAll(/`([a-z/-]+)\/`/g)].map(([, room]) => room!));
  }
});
