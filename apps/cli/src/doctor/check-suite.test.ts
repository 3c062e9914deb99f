import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  COMPANIONS,
  KEY,
  OTHER_KEY,
  refusal,
  startScriptedApi,
  useScriptedApi,
} from '../e2e/scripted-api.js';

const { api, cli } = useScriptedApi();

async function finding(name: string, { url = api.url, key = KEY } = {}) {
  const { out } = await cli(['doctor', '--json'], { url, key });
  const findings = JSON.parse(out) as { name: string; state: string; detail: string }[];
  return findings.find((one) => one.name === name);
}

it('takes a suite that refuses the key for one that runs, and no other, whatever the words', async () => {
  expect(await finding('Kith', { key: OTHER_KEY })).toMatchObject({ state: 'ok' });
  expect(await finding('Kith', { url: `${api.url}/key` })).toMatchObject({ state: 'broken' });
  const gone = await startScriptedApi();
  await gone.stop();
  expect(await finding('Kith', { url: `${gone.url}/key` })).toMatchObject({ state: 'broken' });
});

it.each(['kth_“x”', 'kth_cut', ''])(
  'says of the key %j what is wrong, and that the suite runs',
  async (key) => {
    expect(await finding('Kith', { key })).toMatchObject({ state: 'ok' });
    const detail = key === '' ? 'none is set' : 'cut or mistyped';
    expect(await finding('API key', { key })).toMatchObject({ state: 'broken', detail });
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
    answerAsHealthy(parts);
    api.answers['GET /v1/companions'] = () => ({ body: { ...COMPANIONS, defaultCompanion } });
    expect(await finding('companion')).toEqual({ name: 'companion', ...expected });
  },
);

it('says that the default companion is paused, as its own page does', async () => {
  answerAsHealthy([]);
  const companions = COMPANIONS.companions.map((one) => ({
    ...one,
    pausedSince: '2026-11-05T08:30:00.000Z',
  }));
  api.answers['GET /v1/companions'] = () => ({ body: { ...COMPANIONS, companions } });
  expect(await finding('companion')).toEqual({
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
  expect((await cli(['companion', 'show'])).out).toContain(
    '\npaused since 2026-11-05 08:30 (UTC): it answers nobody and writes to nobody\n',
  );
});

it.each([
  ['unavailable', 503, undefined],
  ['internal', 500, { state: 'broken', mend: './scripts/logs gateway' }],
])(
  'says that the companions cannot be listed where no line of a part does: %s',
  async (code, status, told) => {
    answerAsHealthy([]);
    api.answers['GET /v1/companions'] = () => refusal(status, code, 'it failed');
    const found = await finding('companion');
    if (told) expect(found).toMatchObject(told);
    else expect(found).toBeUndefined();
  },
);

function answerAsHealthy(leftOut: readonly string[]): void {
  const degraded = leftOut.map((part) => ({ part, effect: 'is missing', since: new Date(0).toISOString() }));
  const services = [{ service: 'personality', ready: true, dependencies: {}, degraded }];
  const models = { chat: [], fast: [], rehearsal: true };
  const me = { personId: randomUUID(), displayName: 'Ada', scopes: ['chat'], identities: [] };
  api.answers['GET /v1/me'] = () => ({ body: me });
  api.answers['GET /v1/health'] = () => ({ body: { status: 'ok', services, models } });
}
