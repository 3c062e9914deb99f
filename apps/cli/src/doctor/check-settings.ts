import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { editDistance } from '@kith/contracts';
import type { CliConfig } from '../suite/config.js';
import { broken, off, ok, type Finding } from './finding.js';

/** Settings of Compose, of Node and of the system, which `.env` hands on, and those that scripts take. */
const OTHERS =
  /^(?:COMPOSE|DOCKER|BUILDKIT|NODE|LC)_|_PROXY$|^(?:LANG|DATABASE_OWNER_URL|KITH_BACKUP_PASSPHRASE)$/i;
/** Letters by which a mistyped name differs from the one that was meant. */
const MAX_TYPOS = 2;

/** Checks that `.env` sets what Kith reads: a mistyped name has no effect, and nothing else reports it. */
export function checkSettings(config: Pick<CliConfig, 'envFile' | 'hasEnvFile' | 'projectRoot'>): Finding[] {
  const { envFile, hasEnvFile, projectRoot } = config;
  const example = join(projectRoot, '.env.example');
  if (!hasEnvFile || !existsSync(example)) return [];
  const set = Object.keys(parseEnv(readFileSync(envFile, 'utf8')));
  return [judgeSettings(set, namesIn(readFileSync(example, 'utf8')))];
}

/** Reads the names of all settings, with or without a value, from the text of `.env.example`. */
function namesIn(example: string): string[] {
  return [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '');
}

/** Judges the names that are set. One that is unlike any other may be an operator's own, for a hook or a tool. */
export function judgeSettings(set: readonly string[], known: readonly string[]): Finding {
  const unknown = set.filter((name) => !known.includes(name) && !OTHERS.test(name));
  if (unknown.length === 0) return ok('settings', `${set.length} in .env, all known`);
  const detail = `not read by Kith: ${unknown.join(', ')}`;
  const typos = unknown.flatMap((name) => {
    const meant = known.find((one) => editDistance(name, one) <= MAX_TYPOS);
    return meant === undefined ? [] : [`${meant} for ${name}`];
  });
  if (typos.length > 0) return broken('settings', detail, `write ${typos.join(', ')} in .env, and restart`);
  const mend = unknown.includes('TZ')
    ? 'services count in UTC, whatever TZ is: KITH_TIME_ZONE sets the zone of companions and people'
    : '.env.example has the name of every setting';
  return off('settings', detail, mend);
}
