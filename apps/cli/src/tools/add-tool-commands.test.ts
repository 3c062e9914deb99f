import { expect, it } from '@jest/globals';
import { KEY, runCli, startScriptedApi } from '../e2e/scripted-api.js';

it('a list of tools names those that are left out, and servers that are out of reach', async () => {
  const api = await startScriptedApi();
  const { exit, texts } = runCli(['tools', 'list'], { url: api.url, key: KEY });
  expect([await exit, texts.notes]).toEqual([
    0,
    'left out of home: 3 tools (too many, or not readable)\nnotes is out of reach: its tools are missing until it is back\n',
  ]);
  await api.stop();
});
