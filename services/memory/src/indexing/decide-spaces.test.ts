import { describe, expect, it } from '@jest/globals';
import { decideSpaces } from './decide-spaces.js';

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
  ])('%s', (_, current, next, inUse, use, fill) => {
    const decided = decideSpaces({ current, next }, inUse);
    expect([decided.use.id, decided.fill?.id ?? null]).toEqual([use, fill]);
  });
});
