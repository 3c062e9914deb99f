import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { COMPANIONS, KEY, OTHER_KEY, refusal, runCli, startScriptedApi } from '../e2e/scripted-api.js';

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

const NOT_THERE = 'which is not there: whoever names no companion gets no answer';
const ANOTHER = 'set it in .env to one of mira, then ./scripts/down and ./scripts/up';

it.each([
  ['mira', [], { state: 'ok', detail: 'mira' }],
  ['miar', [], { state: 'broken', detail: `DEFAULT_COMPANION is miar, ${NOT_THERE}`, mend: ANOTHER }],
  [
    'orla',
    ['persona-files'],
    {
      state: 'broken',
      detail: `DEFAULT_COMPANION is orla, ${NOT_THERE}`,
      mend: `mend the broken file first; if it is of another, ${ANOTHER}`,
    },
  ],
])(
  'says whether the default companion %s is there, without %j',
  async (defaultCompanion, parts, expected) => {
    const api = await startHealthyApi(parts);
    api.answers['GET /v1/companions'] = () => ({ body: { ...COMPANIONS, defaultCompanion } });
    expect(await finding('companion', api.url, KEY)).toEqual({ name: 'companion', ...expected });
    await api.stop();
  },
);

it('says that the default companion is paused, as its own page does', async () => {
  const api = await startHealthyApi([]);
  const companions = COMPANIONS.companions.map((one) => ({
    ...one,
    pausedSince: '2026-11-05T08:30:00.000Z',
  }));
  api.answers['GET /v1/companions'] = () => ({ body: { ...COMPANIONS, companions } });
  expect(await finding('companion', api.url, KEY)).toEqual({
    name: 'companion',
    state: 'off',
    mend: 'kith companion resume mira',
    detail: 'mira is paused since 2026-11-05 08:30 (UTC): it answers nobody',
  });
  api.answers['GET /v1/companions/mira'] = () => ({ body: companions[0] });
  api.answers['GET /v1/companions/mira/needs'] = () => ({ body: { companionId: 'mira', needs: [] } });
  api.answers['GET /v1/companions/mira/quirks'] = () => ({ body: { companionId: 'mira', quirks: [] } });
  api.answers['GET /v1/companions/mira/diary'] = () => ({
    body: { companionId: 'mira', entries: [], nextCursor: null },
  });
  const { exit, texts } = runCli(['companion', 'show'], { url: api.url, key: KEY });
  await exit;
  expect(texts.out).toContain(
    '\npaused since 2026-11-05 08:30 (UTC): it answers nobody and writes to nobody\n',
  );
  await api.stop();
});

it.each([
  ['unavailable', 503, undefined],
  ['internal', 500, { state: 'broken', mend: './scripts/logs gateway' }],
])(
  'says that the companions cannot be listed where no line of a part does: %s',
  async (code, status, told) => {
    const api = await startHealthyApi([]);
    api.answers['GET /v1/companions'] = () => refusal(status, code, 'it failed');
    const found = await finding('companion', api.url, KEY);
    if (told) expect(found).toMatchObject(told);
    else expect(found).toBeUndefined();
    await api.stop();
  },
);

async function startHealthyApi(leftOut: readonly string[]) {
  const api = await startScriptedApi();
  const degraded = leftOut.map((part) => ({ part, effect: 'is missing', since: new Date(0).toISOString() }));
  const services = [{ service: 'personality', ready: true, dependencies: {}, degraded }];
  const models = { chat: [], fast: [], rehearsal: true };
  const me = { personId: randomUUID(), displayName: 'Ada', scopes: ['chat'], identities: [] };
  api.answers['GET /v1/me'] = () => ({ body: me });
  api.answers['GET /v1/health'] = () => ({ body: { status: 'ok', services, models } });
  return api;
}
