import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { firstOf, isQdrantTooOld, OLDEST_QDRANT } from '@kith/contracts';
import type { Client } from 'pg';
import type { CliConfig } from '../suite/config.js';
import { withRedis } from '../suite/with-redis.js';
import { broken, off, ok, reasonOf, type Finding } from './finding.js';

/** A store in reach answers within milliseconds; the doctor asks several in turn. */
const TIMEOUT_MS = 3_000;
/** Characters of a version that are shown: a release candidate's has 20. */
const MAX_VERSION = 40;
/** Port that memory's client asks at where the address names none. */
const QDRANT_PORT = '6333';
/** Errors for a name that only containers know: the store can't be checked from here. */
const INSIDE_ONLY = /ENOTFOUND|EAI_AGAIN/;

/** Finding for a store that can't be reached from here; its services' health shows its state. */
function notFromHere(name: string, why: string): Finding {
  return off(name, `not checked from here: ${why}`);
}

function unreachable(name: string, error: unknown, mend: string): Finding {
  const reason = reasonOf(error);
  if (INSIDE_ONLY.test(reason)) return notFromHere(name, 'its address is inside the containers');
  return broken(name, reason, mend);
}

/** Checks that Redis answers, takes writes, keeps its data over a restart, and refuses rather than evicts. */
export async function checkRedis({ setting }: CliConfig): Promise<Finding> {
  const name = 'Redis';
  const url = setting('REDIS_URL');
  if (!url) return notFromHere(name, 'REDIS_URL is not set');
  try {
    const { lackOfRoom, readInfo } = await import('@kith/messaging');
    const info = readInfo(await withRedis(url, (redis) => redis.info()));
    return judgeRedis({
      version: info.get('redis_version') ?? '?',
      persists: info.get('aof_enabled') === '1',
      policy: info.get('maxmemory_policy') ?? '?',
      lack: lackOfRoom(info),
    });
  } catch (error) {
    return unreachable(name, error, 'start it (./scripts/up does), and check REDIS_URL');
  }
}

/** Judges if a Redis is set up for work that must not be lost. */
export function judgeRedis(redis: {
  version: string;
  persists: boolean;
  policy: string;
  lack: { why: string; mend: string } | null;
}): Finding {
  if (redis.lack) {
    const detail = `version ${redis.version}, takes no writes: ${redis.lack.why}`;
    return broken('Redis', detail, `${redis.lack.mend}: it goes on by itself then`);
  }
  const problems = [
    redis.persists ? null : { what: 'no append-only file', mend: 'appendonly yes' },
    redis.policy === 'noeviction'
      ? null
      : { what: `it may evict work (${redis.policy})`, mend: 'maxmemory-policy noeviction' },
  ].filter((problem) => problem !== null);
  const detail = [`version ${redis.version}`, ...problems.map(({ what }) => what)].join(', ');
  if (problems.length === 0) return ok('Redis', `${detail}, AOF, noeviction`);
  return broken('Redis', detail, `in redis.conf: ${problems.map(({ mend }) => mend).join('; ')}`);
}

/** Checks that Postgres answers, and that row-level security applies to the services' role. */
export async function checkPostgres({ setting }: CliConfig): Promise<Finding> {
  const name = 'Postgres';
  const url = setting('DATABASE_URL');
  if (!url) return notFromHere(name, 'DATABASE_URL is not set');
  try {
    return await withClient(url, async (client) => {
      const { rows } = await client.query<{ role: string; version: string; unheld: boolean }>(
        `SELECT current_user AS role, current_setting('server_version') AS version,
                rolsuper OR rolbypassrls AS unheld FROM pg_roles WHERE rolname = current_user`,
      );
      const { role, version, unheld } = firstOf(rows);
      if (!unheld) return ok(name, `version ${version}, as ${role}`);
      return broken(
        name,
        `the services connect as ${role}, whom row-level security does not hold`,
        `point DATABASE_URL at the application role kith_app, or: ALTER ROLE "${role}" NOSUPERUSER NOBYPASSRLS`,
      );
    });
  } catch (error) {
    return unreachable(name, error, 'start it (./scripts/up does), and check DATABASE_URL');
  }
}

/** Checks that every migration of this checkout is applied. Only the database's owner may read that. */
export async function checkMigrations({ setting, projectRoot }: CliConfig): Promise<Finding> {
  const name = 'migrations';
  const url = setting('DATABASE_OWNER_URL');
  if (!url) return notFromHere(name, 'DATABASE_OWNER_URL is not set; ./scripts/up applies them');
  try {
    const entries = await readdir(join(projectRoot, 'prisma/migrations'), { withFileTypes: true });
    const wanted = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const known = await withClient(url, async (client) => {
      const { rows } = await client.query<{ migration: string; finished: boolean }>(
        `SELECT migration_name AS migration, finished_at IS NOT NULL AS finished
         FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1`,
      );
      return new Map(rows.map(({ migration, finished }) => [migration, finished]));
    });
    const deploy = 'node libs/database/dist/migrate-cli.js deploy';
    const unfinished = [...known.keys()].filter((migration) => !known.get(migration)).join(', ');
    if (unfinished) return broken(name, `unfinished: ${unfinished}`, `${deploy} says why, and what to do`);
    const newer = [...known.keys()].filter((migration) => !wanted.includes(migration)).join(', ');
    const restore = 'install that version or a later one, or restore a backup that this version wrote';
    if (newer) return broken(name, `the database is of a newer version: it has ${newer}`, restore);
    const missing = wanted.filter((migration) => !known.has(migration)).join(', ');
    const apply = `./scripts/down, then ./scripts/up applies them; by hand: ${deploy}`;
    return missing ? broken(name, `missing ${missing}`, apply) : ok(name, `all ${wanted.length} applied`);
  } catch (error) {
    return unreachable(name, error, 'run ./scripts/up, and check DATABASE_OWNER_URL');
  }
}

/** Checks that Qdrant answers to the key, where one is set, and is new enough. */
export async function checkQdrant({ setting, isEmbedded }: CliConfig): Promise<Finding> {
  const name = 'Qdrant';
  const url = setting('QDRANT_URL');
  if (setting('VECTOR_INDEX') === 'exact' || (!url && isEmbedded))
    return off(name, 'not used: vectors are searched in Postgres');
  if (!url) return notFromHere(name, 'QDRANT_URL is not set');
  const key = setting('QDRANT_API_KEY');
  const ask = async (path: string) => {
    const address = new URL(path, url);
    address.port ||= QDRANT_PORT;
    return fetch(address, {
      headers: key ? { 'api-key': key } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  };
  try {
    // The first page has the version but needs no key, so the collections are asked for as well.
    const [page, collections] = await Promise.all([ask('/'), ask('/collections')]);
    if (collections.ok) return judgeQdrant(url, await versionOf(page));
    const mend = [401, 403].includes(collections.status) ? 'check QDRANT_API_KEY' : 'check QDRANT_URL';
    return broken(name, `${url} answered ${collections.status}`, mend);
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    return unreachable(name, cause, 'start it, check QDRANT_URL; VECTOR_INDEX=exact does without');
  }
}

function judgeQdrant(url: string, version: string | null): Finding {
  const name = 'Qdrant';
  if (version === null) return ok(name, `${url}, which does not tell its version`);
  if (!isQdrantTooOld(version)) return ok(name, `version ${version}, at ${url}`);
  const mend = `update it to ${OLDEST_QDRANT} or later, or set VECTOR_INDEX=exact`;
  return broken(name, `version ${version} at ${url} is too old`, mend);
}

/** Reads the version of Qdrant's first page. Null where a proxy answers with something else. */
async function versionOf(page: Response): Promise<string | null> {
  const said = (await page.json().catch(() => null)) as { version?: unknown } | null;
  return typeof said?.version === 'string' ? said.version.slice(0, MAX_VERSION) : null;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  // The doctor alone needs it, and every command would load it.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined); // when the server goes away, the query fails too
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
