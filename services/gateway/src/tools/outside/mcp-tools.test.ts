import { expect, it } from '@jest/globals';
import { mcpTools } from './mcp-tools.js';

it('has no phrases for a tool that is called like what every object has', () => {
  const settings = { command: 'x', args: [], env: {}, reads: [], asks: { send: ['post it'] } };
  const listed = ['send', 'constructor', 'toString'].map((name) => ({ name, inputSchema: {} }));
  const made = mcpTools('far', settings, listed, () => Promise.resolve(''));
  expect(made.map(({ traits }) => traits.asks)).toEqual([['post it'], [], []]);
});
