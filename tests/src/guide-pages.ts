import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');
export const GUIDES = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
const READMES = ['libs', 'services', 'apps', 'tests']
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}/README.md`))
  .filter((path) => existsSync(join(root, path)));
/** Pages whose commands, settings and routes are held against the code. */
export const PAGES = ['README.md', ...READMES, ...GUIDES];

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
