import { expect, it } from '@jest/globals';
import { useScriptedApi } from '../e2e/scripted-api.js';

const { cli } = useScriptedApi();

it('a list of tools names those that are left out, and servers that are out of reach', async () => {
  const { code, notes } = await cli(['tools', 'list']);
  expect([code, notes]).toEqual([
    0,
    [
      'left out of home: 3 tools (too many, or not readable)',
      'notes is out of reach: its tools are missing until it is back',
      "mcp.json can't be read, so its tools are missing: the gateway's log says why",
      '',
    ].join('\n'),
  ]);
});
