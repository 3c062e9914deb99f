import { expect, it } from '@jest/globals';
import { ApiScope } from './api-scope.js';
import { KeyRequest } from './keys.routes.js';

it('a new key has each scope once, and is asked for with no more than there are', () => {
  const request = { name: 'a', person: 'Ada' };
  expect(KeyRequest.parse({ ...request, scopes: ['chat', 'memories', 'chat'] }).scopes).toEqual([
    'chat',
    'memories',
  ]);
  expect(KeyRequest.parse({ ...request, scopes: ApiScope.options }).scopes).toEqual(ApiScope.options);
  expect(KeyRequest.safeParse({ ...request, scopes: Array(300).fill('chat') }).success).toBe(false);
});
