import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { composeAddresses, embeddedAddresses, isEmbeddedIn } from './config.js';

it('knows where a suite without Docker is', () => {
  expect(
    embeddedAddresses({
      REDIS_PASSWORD: 'r/1',
      KITH_APP_DB_PASSWORD: 'a',
      POSTGRES_PASSWORD: 'o',
      GATEWAY_PORT: '3100',
    }),
  ).toEqual({
    KITH_URL: 'http://localhost:3100',
    REDIS_URL: 'redis://:r%2F1@127.0.0.1:6389',
    DATABASE_URL: 'postgres://kith_app:a@127.0.0.1:5439/kith',
    DATABASE_OWNER_URL: 'postgres://postgres:o@127.0.0.1:5439/kith',
  });
});

it.each([
  [{}, 'http://localhost:8080'],
  [{ KITH_HTTP_PORT: '80', KITH_BIND: '0.0.0.0' }, 'http://localhost:80'],
  [{ KITH_BIND: '127.0.0.1' }, 'http://localhost:8080'],
  [{ KITH_BIND: '[::]' }, 'http://localhost:8080'],
  [{ KITH_BIND: '192.168.1.5' }, 'http://192.168.1.5:8080'],
  [{ KITH_BIND: '[fd00::5]', KITH_HTTP_PORT: '80' }, 'http://[fd00::5]:80'],
  [{ KITH_BIND: 'fd00::5' }, 'http://[fd00::5]:8080'],
  [{ KITH_DOMAIN: 'kith.example', KITH_BIND: '192.168.1.5' }, 'https://kith.example'],
  [{ KITH_DOMAIN: 'https://kith.example' }, 'https://kith.example'],
  [{ KITH_DOMAIN: 'kith.example', KITH_HTTPS_PORT: '443' }, 'https://kith.example'],
  [{ KITH_DOMAIN: 'kith.example', KITH_HTTPS_PORT: '8444' }, 'https://kith.example:8444'],
])('knows where a suite in containers is published: %j', (variables, url) => {
  expect(composeAddresses(variables)).toEqual({ KITH_URL: url });
});

it('knows that a suite is without Docker while it is stopped, too', () => {
  const root = mkdtempSync(join(tmpdir(), 'kith-checkout-'));
  try {
    expect(isEmbeddedIn(root)).toBe(false);
    mkdirSync(join(root, '.kith/postgres'), { recursive: true });
    expect(isEmbeddedIn(root)).toBe(true);
    for (const [place, isEmbedded] of [
      ['docker', false],
      ['embedded', true],
    ] as const) {
      writeFileSync(join(root, '.kith/runs-in'), `${place}\n`);
      expect(isEmbeddedIn(root)).toBe(isEmbedded);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});
