import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { COMPANIONS, KEY, OTHER_KEY, runCli, startScriptedApi } from '../e2e/scripted-api.js';

async function finding(name: string, url: string, key: string) {
  const { exit, texts } = runCli(['doctor', '--json'], { url, key });
  await exit;
  const findings = JSON.parse(texts.out) as { name: string; state: string; detail: string }[];
  return findings.find((one) => one.name === name);
}

it('takes a suite that refuses the key for one that runs, and no other, whatever the words', async () => {
  const api = await startScriptedApi();
  expect(await finding('Kith', api.url, OTHER_KEY)).toMatchObject({ state: 'ok' });
  expect(await finding('Kith', `${api.url}/key`, KEY)).toMatchObject({ state: 'broken' });
  await api.stop();
  expect(await finding('Kith', `${api.url}/key`, KEY)).toMatchObject({ state: 'broken' });
});

it.each(['kth_“x”', 'kth_cut', ''])(
  'says of the key %j what is wrong, and that the suite runs',
  async (key) => {
    const api = await startScriptedApi();
    expect(await finding('Kith', api.url, key)).toMatchObject({ state: 'ok' });
    const detail = key === '' ? 'none is set' : 'cut or mistyped';
    expect(await finding('API key', api.url, key)).toMatchObject({ state: 'broken', detail });
    await api.stop();
  },
);

it.each([
  ['mira', 'ok', 'mira', undefined],
  [
    'miar',
    'broken',
    'DEFAULT_COMPANION is miar, which is not there: whoever names no companion gets no answer',
    'set it in .env to one of mira, then ./scripts/down and ./scripts/up',
  ],
])('says whether the default companion %s is there', async (defaultCompanion, state, detail, mend) => {
  const api = await startScriptedApi();
  const models = { chat: [], fast: [], rehearsal: true };
  const me = { personId: randomUUID(), displayName: 'Ada', scopes: ['chat'], identities: [] };
  api.answers['GET /v1/me'] = () => ({ body: me });
  api.answers['GET /v1/health'] = () => ({ body: { status: 'ok', services: [], models } });
  api.answers['GET /v1/companions'] = () => ({ body: { ...COMPANIONS, defaultCompanion } });
  expect(await finding('companion', api.url, KEY)).toEqual({
    ...{ name: 'companion', state, detail },
    ...(mend !== undefined && { mend }),
  });
  await api.stop();
});
