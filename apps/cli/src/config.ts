import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** The checkout's folder: where `.env`, the migrations and the scripts are. */
const PROJECT_ROOT = resolve(import.meta.dirname, '../../..');

export interface CliConfig {
  projectRoot: string;
  /** Path of `.env`, and whether it is there. */
  envFile: string;
  hasEnvFile: boolean;
  url: string;
  key: string | undefined;
  /** A setting by its variable: the environment's, else `.env`'s; empty counts as unset. */
  setting(variable: string): string | undefined;
}

/** Reads where the suite is and with which key: flags, else the environment, else `.env` in the checkout. */
export function readConfig(flags: { url?: string; key?: string }): CliConfig {
  const envFile = join(PROJECT_ROOT, '.env');
  const hasEnvFile = existsSync(envFile);
  const file = hasEnvFile ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  const setting = (variable: string) => process.env[variable] || file[variable] || undefined;
  const url = flags.url ?? setting('KITH_URL') ?? `http://127.0.0.1:${setting('GATEWAY_PORT') ?? '3000'}`;
  return {
    projectRoot: PROJECT_ROOT,
    envFile,
    hasEnvFile,
    url: url.replace(/\/+$/, ''),
    key: flags.key ?? setting('KITH_KEY'),
    setting,
  };
}

/** Whether colours are unwanted, by the convention of no-color.org. */
export function wantsNoColor(): boolean {
  return Boolean(process.env['NO_COLOR']) || process.env['TERM'] === 'dumb';
}
