import { describe, expect, it } from '@jest/globals';
import { decideRetired, decideSpaces } from './decide-spaces.js';

const space = (id: string) => ({ id, dimensions: 8, kind: 'semantic' as const });
const [small, large] = [space('small'), space('large')];

describe('the space recall goes by', () => {
  it.each([
    ['alone', small, null, null, 'small', null],
    ['with another to follow', small, large, null, 'small', 'large'],
    ['once the other took its place', small, large, 'large', 'large', null],
    ['once the settings have followed', large, null, 'large', 'large', null],
    ['after the settings went back', small, null, 'large', 'small', null],
    ['named twice', small, small, null, 'small', null],
    ['after an upgrade of the offline embedder', small, null, 'lexical-v1-512', 'lexical-v1-512', 'small'],
    ['after that, with a model to follow', small, large, 'lexical-v1-512', 'lexical-v1-512', 'large'],
  ])('%s', (_, current, next, inUse, use, fill) => {
    const decided = decideSpaces({ current, next }, inUse);
    expect([decided.use.id, decided.fill?.id ?? null]).toEqual([use, fill]);
  });
});

it('a space is removed a week after it was used last, and never while it is', () => {
  const now = new Date('2026-05-10T00:00:00Z');
  const known = [
    { space: 'in use', usedAt: new Date('2026-05-01T00:00:00Z') },
    { space: 'left', usedAt: new Date('2026-05-02T00:00:00Z') },
    { space: 'left lately', usedAt: new Date('2026-05-04T00:00:00Z') },
  ];
  expect(decideRetired(known, new Set(['in use']), now)).toEqual(['left']);
});
