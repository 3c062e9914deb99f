import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';

/** Variables of `.env` that are known. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Tells whether the suite of a checkout is without Docker, also while it is stopped: where it ran last, as
 * scripts/runs-in has it, else by what it left.
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
  const domain = variables['KITH_DOMAIN'];
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
