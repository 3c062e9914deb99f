import { statfs } from 'node:fs/promises';
import type { CliConfig } from '../suite/config.js';
import type { Finding } from './finding.js';

const OLDEST_NODE = [20, 19] as const;
/** As disks are sold: a thousand million bytes. */
const GB = 1_000_000_000;
/** Below this, Postgres and Redis soon can't write; twice that is time to look. */
const LEAST_FREE_GB = 1;

/** Checks that this Node is new enough for the suite. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return isNew
    ? { name: 'Node', state: 'ok', detail: version }
    : {
        name: 'Node',
        state: 'broken',
        detail: `${version} is too old`,
        mend: `install Node ${OLDEST_NODE.join('.')} or later; the suite brings its own 24 once it can start`,
      };
}

/** Checks that the settings are there. Where the suite runs elsewhere, a key is enough. */
export function checkEnvFile({ hasEnvFile, envFile, key }: CliConfig): Finding {
  if (hasEnvFile) return { name: '.env', state: 'ok', detail: envFile };
  if (key) return { name: '.env', state: 'off', detail: 'not there; the key comes from elsewhere' };
  return {
    name: '.env',
    state: 'broken',
    detail: 'not there',
    mend: './scripts/up makes it with fresh secrets; by hand: cp .env.example .env',
  };
}

/** Checks that the disk has room for what the stores write. */
export async function checkDisk({ projectRoot }: CliConfig): Promise<Finding> {
  const { bavail, bsize } = await statfs(projectRoot);
  const freeGb = (bavail * bsize) / GB;
  const detail = `${freeGb.toFixed(1)} GB free`;
  return freeGb >= LEAST_FREE_GB
    ? { name: 'disk', state: 'ok', detail }
    : {
        name: 'disk',
        state: 'broken',
        detail,
        mend: `free some: the stores need ${LEAST_FREE_GB} GB of air`,
      };
}

/** Tells if Discord is turned on. The running suite itself tells of its models. */
export function checkDiscord({ setting }: CliConfig): Finding {
  return setting('DISCORD_TOKEN') === undefined
    ? { name: 'Discord', state: 'off', detail: 'off', mend: 'set DISCORD_TOKEN in .env and restart' }
    : { name: 'Discord', state: 'ok', detail: 'token set' };
}
