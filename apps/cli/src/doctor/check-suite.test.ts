import { expect, it } from '@jest/globals';
import { KEY, OTHER_KEY, runCli, startScriptedApi } from '../e2e/scripted-api.js';

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
