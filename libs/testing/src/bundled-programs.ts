import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that a bundle is made of. When any of them is built or installed anew, the bundle is out of date. */
const MADE_OF = [
  '{libs,services}/*/dist/**/*.js',
  'tools/bundle-services.mjs',
  'node_modules/.package-lock.json',
];

/** Names the folder of the bundle of what is built now, whether or not it has been made. */
export async function bundleOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync(MADE_OF, { cwd: root }).toSorted()) {
    const { mtimeMs, size } = await stat(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  const kept = join(root, 'node_modules/.cache/kith-programs');
  await mkdir(kept, { recursive: true });
  return join(kept, hash.digest('hex').slice(0, 16));
}

/**
 * Finds the services' programs for a suite: bundled into few files where tools/bundle-services.mjs made them of what is
 * built now, or else the checkout's own.
 */
export async function programsOf(root: string): Promise<string> {
  const bundle = await bundleOf(root);
  return existsSync(bundle) ? bundle : root;
}

/**
 * Makes the environment in which a suite's processes keep what was compiled of their programs for the next start, which is
 * a third of its CPU.
 */
export function compiledIn(root: string): Record<string, string> {
  return { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/kith-compiled') };
}
