import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkSettings, judgeSettings } from './check-settings.js';

const projectRoot = new URL('../../../..', import.meta.url).pathname;

describe('the names in .env', () => {
  it.each([
    [['CHAT_MODELS', 'HTTPS_PROXY', 'COMPOSE_PROJECT_NAME'], 'ok', '3 in .env, all known', undefined],
    [['CHAT_MODELS', 'TZ'], 'off', 'not read by Kith: TZ', 'KITH_TIME_ZONE sets the zone'],
    [['CHAT_MODEL'], 'broken', 'not read by Kith: CHAT_MODEL', 'write CHAT_MODELS for CHAT_MODEL'],
    [['CHTA_MODELS'], 'broken', 'not read by Kith: CHTA_MODELS', 'write CHAT_MODELS for CHTA_MODELS'],
    [
      ['MY_HOOKS_TOKEN'],
      'off',
      'not read by Kith: MY_HOOKS_TOKEN',
      '.env.example has the name of every setting',
    ],
  ])('%j are %s', (set, state, detail, mend) => {
    expect(judgeSettings(set, ['CHAT_MODELS', 'FAST_MODELS'])).toEqual({
      name: 'settings',
      state,
      detail,
      ...(mend !== undefined && { mend: expect.stringContaining(mend) }),
    });
  });

  it('are all known where .env is .env.example', () => {
    const envFile = `${projectRoot}/.env.example`;
    const names = readFileSync(envFile, 'utf8').match(/^[A-Z]\w+=/gm);
    expect(checkSettings({ projectRoot, envFile, hasEnvFile: true })).toEqual([
      { name: 'settings', state: 'ok', detail: `${names?.length} in .env, all known` },
    ]);
  });
});
