import { expect, it } from '@jest/globals';
import { toJsonb } from './to-jsonb.js';

it.each([
  [
    'plain',
    { text: 'tea', at: new Date(0), list: [1, null] },
    { text: 'tea', at: '1970-01-01T00:00:00.000Z', list: [1, null] },
  ],
  ['with what Postgres refuses', { text: 'a\0b \ud83d' }, { text: 'ab \ufffd' }],
  [
    'with names that Postgres refuses',
    { list: [{ 'a\0': 'b\0', '\ud83d': new Date(0) }] },
    { list: [{ a: 'b', '\ufffd': '1970-01-01T00:00:00.000Z' }] },
  ],
  ['with a whole emoji', ['🥲'], ['🥲']],
  [
    'that only speaks of it',
    { text: String.raw`\u0000 and \ud800` },
    { text: String.raw`\u0000 and \ud800` },
  ],
])('a value %s is written so that Postgres takes it', (_, value, read) => {
  expect(JSON.parse(toJsonb(value))).toEqual(read);
});
