import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Files whose times say what a bundle was made by, and with which packages: each installation writes the last. */
const MADE_OF = [
  'tools/bundle-programs.mjs',
  'tools/service-settings.mjs',
  'node_modules/.package-lock.json',
];
/** Folders of packages: each build of one writes a file there, whose time counts, too. */
const PACKAGES = ['apps', 'libs', 'services'];

/** Names the folder of the bundle of what is built now, whether or not it has been made. */
export async function bundleOf(root: string): Promise<string> {
  // A bundle names places in its checkout: one that was moved needs another.
  const hash = createHash('sha256').update(`${resolve(root)}\n`);
  const builds = await Promise.all(
    PACKAGES.map(async (folder) =>
      (await readdir(join(root, folder))).map((name) => `${folder}/${name}/dist/.tsbuildinfo`),
    ),
  );
  for (const file of [...MADE_OF, ...builds.flat().toSorted()]) {
    const found = await stat(join(root, file)).catch(() => null);
    if (found) hash.update(`${file} ${found.mtimeMs} ${found.size}\n`);
  }
  return join(root, 'dist/programs', hash.digest('hex').slice(0, 16));
}

/**
 * Finds the programs of services and CLI: bundled into few files where tools/bundle-programs.mjs made them of what is
 * built now, or else the checkout's own.
 */
export async function programsOf(root: string): Promise<string> {
  const bundle = await bundleOf(root);
  return existsSync(bundle) ? bundle : root;
}
