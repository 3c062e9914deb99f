import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');
export const GUIDES = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
const READMES = ['libs', 'services', 'apps', 'tests']
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}/README.md`))
  .filter((path) => existsSync(join(root, path)));
const DECISIONS = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
/** Pages of those who use, run or extend Kith. */
const READ_FIRST = ['README.md', ...READMES, ...GUIDES];
/** Pages whose names are held against the code. The history of benchmarks tells what was. */
export const PAGES = [
  ...READ_FIRST,
  'docs/architecture.md',
  'docs/glossary.md',
  'docs/benchmarks.md',
  'docs/http-api.md',
  ...DECISIONS,
];

/** Tells whether a page names settings by the names under which somebody sets them; other pages name constants, too. */
export const namesSettings = (page: string): boolean => READ_FIRST.includes(page);

/** Code on a page: a fenced block, or a span between backticks. */
interface Code {
  page: string;
  text: string;
  isBlock: boolean;
}

export const FENCE = /^( *)```[^\n]*\n([\s\S]*?)^\1```/gm;

export function codeOf(page: string): Code[] {
  const text = read(page);
  const blocks = [...text.matchAll(FENCE)].map(([, , block]) => ({ page, text: block!, isBlock: true }));
  const spans = [...text.replaceAll(FENCE, '').matchAll(/`([^`\n]+)`/g)];
  return [...blocks, ...spans.map(([, span]) => ({ page, text: span!, isBlock: false }))];
}
