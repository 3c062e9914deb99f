import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { present } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { isIPv6 } from 'node:net';

/** The checkout's folder: where `.env`, the migrations and the scripts are. */
const PROJECT_ROOT = resolve(import.meta.dirname, '../../../..');

export interface CliConfig {
  projectRoot: string;
  /** Path of `.env`, and whether it is there and can be read. */
  envFile: string;
  hasEnvFile: boolean;
  /** True where the suite runs on this machine itself, rather than in containers. */
  isEmbedded: boolean;
  url: string;
  key: string | undefined;
  /** A setting by its variable: the environment's, else `.env`'s; empty counts as unset. */
  setting: (variable: string) => string | undefined;
}

/**
 * Reads where the suite is and with which key: flags, else the environment, else `.env` in the checkout,
 * else where ./scripts/up puts it. The key in `.env` is for the suite of the checkout alone.
 * @throws CliError for a `.env` that can't be read, where no key is given besides
 */
export function readConfig(
  flags: { url?: string; key?: string },
  projectRoot: string = PROJECT_ROOT,
): CliConfig {
  const envFile = join(projectRoot, '.env');
  const found = readEnvFile(envFile, Boolean(flags.key ?? process.env['KITH_KEY']));
  const file = found ?? {};
  const isEmbedded = isEmbeddedIn(projectRoot);
  // The suite is where .env alone says: scripts/env-file-alone keeps the environment from it.
  const { KITH_URL: foundUrl, ...stores } = (isEmbedded ? embeddedAddresses : composeAddresses)(file);
  // As the services read it: without the spaces around it.
  const given = (from: NodeJS.Dict<string>, variable: string) => from[variable]?.trim() || undefined;
  // The embedded suite uses its own stores, whatever .env says of them.
  const setting = (variable: string) =>
    given(process.env, variable) ?? given(stores, variable) ?? given(file, variable);
  const url = withoutSlash(flags.url ?? setting('KITH_URL') ?? present(foundUrl));
  // The key in .env is for the suite of this checkout: a mistyped or foreign address must not get it.
  const isOwn = [file['KITH_URL'], foundUrl].some((own) => own && placeOf(own) === placeOf(url));
  return {
    projectRoot,
    envFile,
    hasEnvFile: found !== null,
    isEmbedded,
    url,
    key: flags.key ?? (isOwn ? setting('KITH_KEY') : given(process.env, 'KITH_KEY')),
    setting,
  };
}

/** Reads `.env`; null where there is none, or none that can be read and a key without it. @throws CliError */
function readEnvFile(envFile: string, hasKey: boolean): NodeJS.Dict<string> | null {
  if (!existsSync(envFile)) return null;
  try {
    return parseEnv(readFileSync(envFile, 'utf8'));
  } catch (cause) {
    if (hasKey) return null;
    const mend = 'run kith as the user whose it is, or give --key and --url (KITH_KEY, KITH_URL)';
    throw new CliError(`${envFile} can't be read: ${(cause as Error).message}: ${mend}`, 1, { cause });
  }
}

/** Reads which version of Kith this checkout is. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** An address without slashes at its end. */
function withoutSlash(url: string): string {
  return url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url;
}

/** Origin that an address leads to, by one name for this machine itself. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, port } = new URL(url);
  const host = ['127.0.0.1', '[::1]'].includes(hostname) ? 'localhost' : hostname;
  return `${protocol}//${host}:${port}`;
}

/** Tells if colours are unwanted, by the convention of no-color.org. */
export function wantsNoColor(): boolean {
  return Boolean(process.env['NO_COLOR']) || isDumb();
}

/** Tells if the terminal redraws nothing, as within an editor, or is not to, as where it is read aloud. */
export function isDumb(): boolean {
  return process.env['TERM'] === 'dumb';
}

/** Variables of `.env` that are known. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Tells whether the suite of a checkout runs without Docker, or last did. scripts/runs-in notes that; without a note,
 * the files that the suite left tell it.
 */
export function isEmbeddedIn(projectRoot: string): boolean {
  const path = (name: string) => join(projectRoot, '.kith', name);
  if (existsSync(path('runs-in'))) return readFileSync(path('runs-in'), 'utf8').trim() === 'embedded';
  return existsSync(path('supervisor.pid')) || existsSync(path('postgres'));
}

/**
 * Finds the stores of a suite without Docker: on this machine, at ports and with passwords of `.env`, which
 * holds no addresses. Roles, database and ports are those of libs/embedded.
 */
export function embeddedAddresses(variables: Variables): Record<string, string> {
  const host = (port: string | undefined, fallback: number) => `127.0.0.1:${port || fallback}`;
  const secret = (variable: string) => encodeURIComponent(variables[variable] ?? '');
  const postgres = host(variables['KITH_POSTGRES_PORT'], 5_439);
  return {
    // The name under which ./scripts/up gives it: a browser that signed in at another one is a stranger here.
    KITH_URL: `http://localhost:${variables['GATEWAY_PORT'] || 3_000}`,
    REDIS_URL: `redis://:${secret('REDIS_PASSWORD')}@${host(variables['KITH_REDIS_PORT'], 6_389)}`,
    DATABASE_URL: `postgres://kith_app:${secret('KITH_APP_DB_PASSWORD')}@${postgres}/kith`,
    DATABASE_OWNER_URL: `postgres://postgres:${secret('POSTGRES_PASSWORD')}@${postgres}/kith`,
  };
}

/** Addresses that Caddy is published on where this machine reaches it as its own. */
const AT_LOCALHOST = ['127.0.0.1', '0.0.0.0', '::'];

/** Finds a suite in containers, which Caddy serves; its stores are out of reach on purpose. */
export function composeAddresses(variables: Variables): Record<string, string> {
  // Caddy takes a name with its scheme as well.
  const domain = variables['KITH_DOMAIN']?.replace(/^https:\/\//, '');
  if (domain) {
    // For a public name Caddy gets a certificate only where 443 leads to it, and so it does where no other port is named.
    const port = variables['KITH_HTTPS_PORT'] || '443';
    return { KITH_URL: `https://${domain}${port === '443' ? '' : `:${port}`}` };
  }
  // Compose takes an IPv6 address with brackets or without, a URL only with them.
  const bind = variables['KITH_BIND']?.replaceAll(/[[\]]/g, '') || '127.0.0.1';
  const address = isIPv6(bind) ? `[${bind}]` : bind;
  const host = AT_LOCALHOST.includes(bind) ? 'localhost' : address;
  return { KITH_URL: `http://${host}:${variables['KITH_HTTP_PORT'] || '8080'}` };
}
