import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** A cold cache and a slow registry. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/**
 * Installs pinned packages in a folder of their own, outside of this checkout, with the files that run them. What an earlier run
 * installed is used again.
 * @returns the folder
 * @throws Error that says in one line why it can't be installed
 */
export async function installPeer(
  name: string,
  packages: Readonly<Record<string, string>>,
  runners: readonly string[],
): Promise<string> {
  const folder = join(tmpdir(), 'kith-peers', name);
  await mkdir(folder, { recursive: true });
  const wanted = JSON.stringify({ private: true, type: 'module', dependencies: packages }, null, 2);
  const manifest = join(folder, 'package.json');
  const installed = join(folder, 'installed.json');
  if ((await readFile(installed, 'utf8').catch(() => '')) !== wanted) {
    await writeFile(manifest, wanted);
    // Peers name dozens of hosts' SDKs as optional companions: none of them is used here.
    const options = ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', options, { cwd: folder, timeout: INSTALL_TIMEOUT_MS }).catch(
      (error: unknown) => {
        throw new Error(`npm could not install it: ${(error as Error).message.split('\n').at(-1) ?? ''}`);
      },
    );
    await writeFile(installed, wanted);
  }
  for (const file of runners) await copyFile(file, join(folder, basename(file)));
  return folder;
}
