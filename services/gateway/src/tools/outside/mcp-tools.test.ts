import { expect, it } from '@jest/globals';
import { mcpTools } from './mcp-tools.js';

const settings = { command: 'x', args: [], env: {}, reads: [], asks: { send: ['post it'] } };

it('has the first of tools whose names become alike, and others in the place of the rest', () => {
  const alike = ['send.note', 'send note', ...['a', 'b'].map((end) => `${'x'.repeat(64)}${end}`)];
  const names = [...alike, ...Array.from({ length: 39 }, (_, n) => `note${n}`)];
  const listed = names.map((name) => ({ name, inputSchema: {} }));
  const made = mcpTools('far', settings, listed, () => Promise.resolve(''));
  const told = made.map(({ traits }) => traits.name.replace('far__', ''));
  expect(told).toEqual(['send_note', 'x'.repeat(59), ...names.slice(4, 42)]);
});

it('has no phrases for a tool that is called like what every object has', () => {
  const listed = ['send', 'constructor', 'toString'].map((name) => ({ name, inputSchema: {} }));
  const made = mcpTools('far', settings, listed, () => Promise.resolve(''));
  expect(made.map(({ traits }) => traits.asks)).toEqual([['post it'], [], []]);
});
