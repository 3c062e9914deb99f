import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { firstOf } from '@kith/contracts';
import type { CliConfig } from '../suite/config.js';
import { broken, off, ok, type Finding } from './finding.js';

/** Bytes of a gigabyte as disks are sold: a thousand million. */
const GB = 1_000_000_000;
/** Free space below which Postgres and Redis soon can't write. */
const MIN_FREE_GB = 1;

/** The Node that runs this program, as `process` tells it. */
export type NodeHere = Pick<NodeJS.Process, 'version' | 'platform' | 'arch'>;

/** Checks that this Node is new enough for the suite. scripts/setup asks for the same. */
export function checkNode({ version, platform, arch }: NodeHere): Finding {
  // npm has a package with Node 24 for Linux x64 alone. Elsewhere the suite runs on the Node of this machine. Before 24.9 it
  // knows no `shouldUpgradeCallback`, so that each upgrade would be taken for the chat's WebSocket.
  const bringsItsOwn = platform === 'linux' && arch === 'x64';
  const [oldestMajor, oldestMinor] = bringsItsOwn ? [20, 19] : [24, 9];
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok('Node', version);
  const mend = bringsItsOwn
    ? 'install Node 20.19 or later; the suite brings its own 24 once it can start'
    : 'install Node 24.9 or later, which runs the suite here';
  return broken('Node', `${version} is too old`, mend);
}

/** Checks that the settings are there. Where the suite runs elsewhere, a key is enough. */
export function checkEnvFile({ hasEnvFile, envFile, key, projectRoot }: CliConfig): Finding {
  if (hasEnvFile) return ok('.env', envFile);
  if (key) return off('.env', 'none that this user can read; the key comes from elsewhere');
  // With fresh secrets neither the database of a suite that ran here nor its thoughts would open.
  const mend = existsSync(join(projectRoot, '.kith/runs-in'))
    ? 'put back the one of the suite that ran here, whose passwords it has: a backup holds it as settings.env'
    : './scripts/up makes it with fresh secrets; by hand: cp .env.example .env';
  return broken('.env', 'not there', mend);
}

/** Checks that there is room for what the stores write. Their folder may be on a disk of its own, as a mount or a link. */
export async function checkDisk({ projectRoot }: CliConfig): Promise<Finding> {
  const data = join(projectRoot, '.kith');
  const folders = existsSync(data) ? [projectRoot, data] : [projectRoot];
  const disks = folders.map(async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return { folder, freeBytes: bavail * bsize };
  });
  return diskFinding(await Promise.all(disks));
}

/** Judges the disk that has the least room. Pure. */
export function diskFinding(disks: readonly { folder: string; freeBytes: number }[]): Finding {
  const { folder, freeBytes } = firstOf(disks.toSorted((one, other) => one.freeBytes - other.freeBytes));
  const detail = `${(freeBytes / GB).toFixed(1)} GB free in ${folder}`;
  if (freeBytes >= MIN_FREE_GB * GB) return ok('disk', detail);
  return broken('disk', detail, `free some: the stores need ${MIN_FREE_GB} GB of air`);
}

/** Checks whether Discord is on. Models are not checked here: the running suite reports them. */
export function checkDiscord({ setting }: CliConfig): Finding {
  return setting('DISCORD_TOKEN') === undefined
    ? off('Discord', 'off', 'set DISCORD_TOKEN in .env and restart')
    : ok('Discord', 'token set');
}
