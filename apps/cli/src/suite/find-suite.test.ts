import { expect, it } from '@jest/globals';
import { composeAddresses, embeddedAddresses } from './find-suite.js';

it('knows where a suite without Docker is', () => {
  expect(
    embeddedAddresses({
      REDIS_PASSWORD: 'r/1',
      KITH_APP_DB_PASSWORD: 'a',
      POSTGRES_PASSWORD: 'o',
      GATEWAY_PORT: '3100',
    }),
  ).toEqual({
    KITH_URL: 'http://127.0.0.1:3100',
    REDIS_URL: 'redis://:r%2F1@127.0.0.1:6389',
    DATABASE_URL: 'postgres://kith_app:a@127.0.0.1:5439/kith',
    DATABASE_OWNER_URL: 'postgres://postgres:o@127.0.0.1:5439/kith',
  });
});

it('knows where a suite in containers is published', () => {
  expect([{}, { KITH_HTTP_PORT: '80' }, { KITH_DOMAIN: 'kith.example' }].map(composeAddresses)).toEqual([
    { KITH_URL: 'http://localhost:8080' },
    { KITH_URL: 'http://localhost:80' },
    { KITH_URL: 'https://kith.example' },
  ]);
});
