import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { lazy } from '@kith/contracts';
import type { MigrationList } from './schema-engine.js';

/** Prisma's engine: 3 MB of WebAssembly, for what most starts have nothing to do with. */
const schemaEngine = lazy('the engine of migrations', () => import('./schema-engine.js'));

/** Any number, as long as nothing else in the database locks on it. */
const MIGRATION_LOCK = 7_270_737;

export interface MigrationSource {
  /** Connection string of the owner role. */
  url: string;
  /** The `prisma` folder, with `schema/` and `migrations/`. */
  directory: string;
}

async function readSchema(directory: string): Promise<[string, string][]> {
  const folder = join(directory, 'schema');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    files.map(async (name): Promise<[string, string]> => [
      join(folder, name),
      await readFile(join(folder, name), 'utf8'),
    ]),
  );
}

async function readMigrations(directory: string): Promise<MigrationList> {
  const baseDir = join(directory, 'migrations');
  const names = (await readdir(baseDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir,
    shadowDbInitScript: '',
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8').catch(() => null),
    },
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the database that `url` names, when the server does not have it. */
async function ensureDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  const name = decodeURIComponent(admin.pathname.slice(1));
  admin.pathname = '/postgres';
  await withClient(admin.href, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (!found.rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/**
 * Brings the database up to the newest migration and returns the names of those applied. Safe to run from
 * several processes at once: one applies, the others wait and find nothing to do.
 */
export async function deployMigrations(source: MigrationSource): Promise<string[]> {
  await ensureDatabase(source.url);
  return withClient(source.url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrations = await readMigrations(source.directory);
    if (await areAllApplied(client, migrations)) return [];
    const { SchemaEngine } = await schemaEngine();
    const engine = await SchemaEngine.open(source.url, await readSchema(source.directory));
    try {
      return await engine.apply(migrations);
    } finally {
      await engine.close();
    }
  });
}

/** Does the database's own list say that each of these, as it is, was applied? Where anything is odd the engine says. */
async function areAllApplied(client: pg.Client, { migrationDirectories }: MigrationList): Promise<boolean> {
  const { rows: tables } = await client.query(
    `SELECT 1 FROM pg_tables WHERE tablename = '_prisma_migrations'`,
  );
  if (tables.length === 0) return false;
  const { rows } = await client.query<{ name: string; checksum: string; is_applied: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AND rolled_back_at IS NULL AS is_applied
     FROM _prisma_migrations`,
  );
  const wanted = migrationDirectories.map(({ path, migrationFile }) => {
    const checksum = createHash('sha256').update(migrationFile.content.value).digest('hex');
    return `${path} ${checksum}`;
  });
  const applied = new Set(rows.map(({ name, checksum }) => `${name} ${checksum}`));
  return (
    rows.length === wanted.length &&
    rows.every(({ is_applied: isApplied }) => isApplied) &&
    wanted.every((one) => applied.has(one))
  );
}

/** The SQL that is missing between the migrations and the schema; empty when they agree. Needs CREATEDB. */
export async function findDrift(source: MigrationSource): Promise<string> {
  const schema = await readSchema(source.directory);
  const { SchemaEngine } = await schemaEngine();
  const engine = await SchemaEngine.open(source.url, schema);
  try {
    return await engine.diff(await readMigrations(source.directory), schema);
  } finally {
    await engine.close();
  }
}

/**
 * Writes a new migration with what the schema changed, or an empty one to write by hand (policies, data).
 * Returns its folder's name, or null when the schema did not change.
 */
export async function createMigration(
  source: MigrationSource,
  name: string,
  kind: 'from-schema' | 'by-hand',
  now: Date,
): Promise<string | null> {
  const sql = kind === 'by-hand' ? '-- written by hand\n' : await findDrift(source);
  if (sql === '') return null;
  const stamp = now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = `${stamp}_${name}`;
  const path = join(source.directory, 'migrations', folder);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'migration.sql'), `${sql}\n`);
  return folder;
}

/**
 * Makes the role the services connect as, or gives it this password: neither owner nor superuser, so that
 * row-level security holds it. Grants it the rows of every table, and nothing else.
 */
export async function ensureAppRole(ownerUrl: string, role: string, password: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const name = client.escapeIdentifier(role);
    const secret = client.escapeLiteral(password);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    await client.query(
      `${found.rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD ${secret}`,
    );
    await client.query(`GRANT USAGE ON SCHEMA public TO ${name}`);
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
    await client.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${name}`);
    await client.query(`REVOKE UPDATE ON TABLE operator_actions FROM ${name}`); // append-only
    await client.query(`REVOKE ALL ON TABLE _prisma_migrations FROM ${name}`);
  });
}
