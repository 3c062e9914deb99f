import { describe, expect, it } from '@jest/globals';
import { methodsAt } from './methods-at.js';

describe('the methods at a path', () => {
  it.each([
    ['/v1/chat', ['POST']],
    ['/V1/Chat/', ['POST']],
    ['/v1/companions', ['GET', 'HEAD', 'POST']],
    ['/v1/memories/019a0000-0000-7000-8000-000000000001', ['PATCH']],
    ['/v1/nothing', []],
    ['/', []],
    ['//v1/chat', []],
    ['/v1/companions//file', []],
  ])('%s are those of its routes', (path, methods) => {
    expect(methodsAt(path)).toEqual(methods);
  });
});
