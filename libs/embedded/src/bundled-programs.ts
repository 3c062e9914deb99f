import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Files whose times say what a bundle was made of: each build writes one, and so does each installation. */
const MADE_OF = [
  '{apps/cli,libs/*,services/*}/dist/.tsbuildinfo',
  'tools/bundle-programs.mjs',
  'node_modules/.package-lock.json',
];

/** Names the folder of the bundle of what is built now, whether or not it has been made. */
export async function bundleOf(root: string): Promise<string> {
  // A bundle names places in its checkout: one that was moved needs another.
  const hash = createHash('sha256').update(`${resolve(root)}\n`);
  for (const file of globSync(MADE_OF, { cwd: root }).toSorted()) {
    const { mtimeMs, size } = await stat(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return join(root, 'dist/programs', hash.digest('hex').slice(0, 16));
}

/**
 * Finds the programs of services and CLI: bundled into few files where tools/bundle-programs.mjs made them of what is built now, or
 * else the checkout's own.
 */
export async function programsOf(root: string): Promise<string> {
  const bundle = await bundleOf(root);
  return existsSync(bundle) ? bundle : root;
}
