import { expect, it } from '@jest/globals';
import { decideDegraded } from './decide-degraded.js';

const found = { dense: [{ id: 'a', score: 1 }], lexical: [] };
const nothing = { dense: [], lexical: [] };
const usual = { isEmbedded: true, found, isLost: false, isWhole: true };
const both = ['dense', 'lexical'];

it.each([
  ['nothing is missing', usual, []],
  ['without the index', { ...usual, found: null }, both],
  ['without embedding', { ...usual, isEmbedded: false }, ['dense']],
  ['while points are written', { ...usual, isWhole: false }, ['dense']],
  ['with too many points', { ...usual, found: { ...found, isPart: true } }, both],
  ['with no point, for the words are searched', { ...usual, found: nothing, isWhole: false }, []],
  ['with no point and without embedding', { ...usual, found: nothing, isEmbedded: false }, ['dense']],
  ['after the points were lost', { ...usual, found: nothing, isLost: true }, both],
])('names the arms that are missing: %s', (_, search, missing) => {
  expect(decideDegraded(search)).toEqual(missing);
});
