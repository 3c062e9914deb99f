import { expect, it } from '@jest/globals';
import { outreachRoutes } from './outreach.routes.js';

it('a channel is named by its id: one named "general" would be forbidden nowhere', () => {
  const { params } = outreachRoutes.changeChannel;
  expect(params.safeParse({ channel: '123456789012345678' }).success).toBe(true);
  expect(params.safeParse({ channel: 'general' }).error?.issues[0]?.message).toContain('digits such as');
});
