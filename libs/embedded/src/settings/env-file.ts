import { randomBytes } from 'node:crypto';
import { chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parseEnv } from 'node:util';
import { formatApiKey } from '@kith/contracts';
import { redisPasswordVariable } from './redis-users.js';
import { SERVICES } from './services.js';

const secret = () => randomBytes(24).toString('base64url');

/** Makes up the secrets of a first start: long, random, and never the same for two suites. */
const SECRETS: Readonly<Record<string, () => string>> = {
  KITH_KEY: () => formatApiKey(randomBytes(32)),
  POSTGRES_PASSWORD: secret,
  KITH_APP_DB_PASSWORD: secret,
  REDIS_PASSWORD: secret,
  ...Object.fromEntries(SERVICES.map(({ name }) => [redisPasswordVariable(name), secret])),
  QDRANT_API_KEY: secret,
  METRICS_TOKEN: secret,
  THOUGHTS_KEY: secret,
};

/** Home at the start of a folder's path, as a shell writes it. scripts/setting and Compose read it so too. */
const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

/** The settings of a `.env` file, folders by their whole path; none where there is no file. */
export async function readEnvFile(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => {
      if (!value) return [];
      return [[name, /_DIR(?:ECTORY)?$/.test(name) ? value.replace(HOME, () => homedir()) : value]];
    }),
  );
}

/**
 * Sees to it that every secret is in the `.env` file, which it makes from the example at the first start.
 * Keeps settings that are there, but for secrets of spaces alone. Returns all of them.
 */
export async function ensureSecrets(path: string, examplePath: string): Promise<Record<string, string>> {
  const existing = await readFile(path, 'utf8').catch((error: unknown) => {
    // One that is there and can't be read must not be replaced.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  });
  // Some editors of Windows begin a file with this mark, which would be read as part of the first setting's name.
  let text = (existing ?? (await readFile(examplePath, 'utf8'))).replace(/^\uFEFF/, '');
  const settings = parseEnv(text);
  const missing = Object.entries(SECRETS).filter(([name]) => !settings[name]?.trim());
  for (const [name, make] of missing) {
    text = withSetting(text, name, make());
  }
  if (text !== existing) await replacePrivate(path, text);
  return readEnvFile(path);
}

/**
 * Text of settings with the value of one that is empty or lacking: in its last line, which is the one that counts, else in
 * the place of a comment that names it and nothing else, or at the end. Pure.
 */
export function withSetting(text: string, name: string, value: string): string {
  const lines = text.trimEnd().split('\n');
  // What stands before a setting's name where a shell reads the file, too.
  const beginningOf = (line: string) => /^\s*(?:export\s+)?/.exec(line)?.[0] ?? '';
  const isSet = (line: string) => {
    const rest = line.slice(beginningOf(line).length);
    return rest.startsWith(name) && rest.slice(name.length).trimStart().startsWith('=');
  };
  const own = lines.findLastIndex(isSet);
  if (own !== -1) return ended(lines.with(own, `${beginningOf(lines[own] ?? '')}${name}=${value}`));
  const commented = lines.findIndex((line) => [`# ${name}=`, `#${name}=`].includes(line.trimEnd()));
  const line = `${name}=${value}`;
  return ended(commented === -1 ? [...lines, line] : lines.with(commented, line));
}

function ended(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** Replaces a file's text whole or not at all, and leaves the file to its owner alone: nobody can make its secrets again. */
async function replacePrivate(path: string, text: string): Promise<void> {
  // Where the file is a link, what it points to is replaced.
  const place = await realpath(path).catch(() => path);
  const unfinished = `${place}.new`;
  // One that is left over would keep its mode.
  await rm(unfinished, { force: true });
  await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
  // A start by root leaves the file to whom it belongs.
  const owner = await stat(place).catch(() => null);
  if (owner) await chown(unfinished, owner.uid, owner.gid).catch(() => undefined);
  await rename(unfinished, place);
}
