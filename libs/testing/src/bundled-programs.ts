import { createHash } from 'node:crypto';
import { access, glob, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Parts that make a bundle: with any of them built or installed anew, it is none any more. */
const MADE_OF = [
  '{libs,services}/*/dist/**/*.js',
  'tools/bundle-services.mjs',
  'node_modules/.package-lock.json',
];

/** Place of the bundle of these very programs, which may not be there. */
export async function bundleOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for await (const file of glob(MADE_OF, { cwd: root })) files.push(file);
  for (const file of files.toSorted()) {
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
  return access(bundle).then(
    () => bundle,
    () => root,
  );
}
