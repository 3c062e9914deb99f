import { expect, it } from '@jest/globals';
import { KEY, runCli, startScriptedApi } from '../e2e/scripted-api.js';

async function kithFinding(url: string, key: string) {
  const { exit, texts } = runCli(['doctor', '--json'], { url, key });
  await exit;
  const findings = JSON.parse(texts.out) as { name: string; state: string }[];
  return findings.find(({ name }) => name === 'Kith')?.state;
}

it('takes a suite that refuses the key for one that runs, and no other, whatever the words', async () => {
  const api = await startScriptedApi();
  expect(await kithFinding(api.url, 'kth_wrong')).toBe('ok');
  expect(await kithFinding(`${api.url}/key`, KEY)).toBe('broken');
  await api.stop();
  expect(await kithFinding(`${api.url}/key`, KEY)).toBe('broken');
});
