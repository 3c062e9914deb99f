// Writes .env.example from the services' own settings; a test holds it to them.   usage: node tools/env-example.mjs
import { writeFileSync } from 'node:fs';
import { SERVICES } from '@kith/contracts';
import { redisPasswordVariable } from '@kith/embedded';
import { serviceSettings } from './service-settings.mjs';

/** Secrets, which the first start makes. */
const SECRETS = [
  ['KITH_KEY', "the operator's own API key"],
  ['POSTGRES_PASSWORD', "password of Postgres' owner role"],
  ['KITH_APP_DB_PASSWORD', 'password of the role the services connect as'],
  ['REDIS_PASSWORD', 'password of Redis'],
  ...SERVICES.map((service) => [redisPasswordVariable(service), `password of ${service} at Redis (Compose)`]),
  ['QDRANT_API_KEY', "Qdrant's API key"],
  ['METRICS_TOKEN', "bearer token that every service's /metrics asks for"],
  [
    'THOUGHTS_KEY',
    'key that thoughts, and what tools told, are encrypted with, and erased accounts are known by',
  ],
];
/** Read by scripts and Compose rather than by a service. */
const DEPLOYMENT = [
  ['KITH_DOMAIN', 'name to serve under with HTTPS (Compose); empty: http://localhost:8080'],
  ['KITH_BIND', 'address that Caddy is published on (Compose); 127.0.0.1 by default'],
  ['KITH_HTTP_PORT', 'port of HTTP (Compose); 8080 by default'],
  ['KITH_HTTPS_PORT', 'port of HTTPS (Compose); 8443 by default'],
  ['KITH_PLACEMENT', 'embedded: together (one process for all services, the default) or apart (one each)'],
  ['KITH_POSTGRES_PORT', 'port of the embedded PostgreSQL; 5439 by default'],
  ['KITH_REDIS_PORT', 'port of the embedded Redis; 6389 by default'],
  ['KITH_MODELS_HUB', 'where kith models pull fetches encoders; https://huggingface.co by default'],
  [
    'COMPOSE_PROJECT_NAME',
    "name that Compose keeps the suite's data under; the checkout's folder's by default",
  ],
  ['KITH_IMAGE', 'name of the image that services run from (Compose); kith:local by default'],
  [
    'KITH_URL',
    'where the CLI finds the suite; by default http://localhost:3000, with Compose http://localhost:8080 or https:// and KITH_DOMAIN',
  ],
];
/** Variables that a suite of ./scripts/up does not read, since it sets them itself. */
const SET_BY_UP = [
  [/^(?:HTTP_HOST|REDIS_URL|DATABASE_URL)$/, 'no effect on services that ./scripts/up starts'],
  [
    /_PORT$|^(?:REDIS_KEY_PREFIX|QDRANT_URL|TRUSTED_PROXY|CONSOLE_DIRECTORY|EMBEDDING_MODELS_DIR)$/,
    'no effect with Compose',
  ],
];

/** Writes a default. Names with values have none. */
function wordOf(value) {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value)) ? '' : String(value);
}

export async function envExample() {
  const lines = [
    '# Settings of Kith. ./scripts/up copies this to .env and fills in the secrets; everything else has a default.',
    '# Values with #, $ or spaces go in single quotes: without, Compose and the services read some of them differently.',
    '# Written by tools/env-example.mjs from the settings in services/*/src/config.ts.',
    '',
    '# --- secrets, made at the first start ---',
    ...SECRETS.flatMap(([name, purpose]) => [`# ${purpose}`, `${name}=`]),
    '',
    '# --- deployment ---',
    ...DEPLOYMENT.flatMap(([name, purpose]) => [`# ${purpose}`, `# ${name}=`]),
  ];
  const declared = await serviceSettings();
  const seen = new Set([...SECRETS, ...DEPLOYMENT].map(([name]) => name));
  for (const service of SERVICES) {
    const own = declared[service].filter(({ variable }) => !seen.has(variable));
    if (own.length === 0) continue;
    lines.push('', `# --- ${service} ---`);
    for (const { variable, schema, purpose } of own) {
      seen.add(variable);
      const fallback = schema.safeParse(undefined);
      const value = fallback.success ? wordOf(fallback.data) : '';
      const notes = SET_BY_UP.filter(([variables]) => variables.test(variable)).map(
        ([, note]) => `# (${note})`,
      );
      lines.push(`# ${purpose}`, ...notes, `# ${variable}=${value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync('.env.example', await envExample());
}
