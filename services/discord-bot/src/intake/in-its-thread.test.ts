import { describe, expect, it } from '@jest/globals';
import { inItsThread } from './in-its-thread.js';

const request = {
  from: { door: 'discord' as const, subject: '42', displayName: 'Ann' },
  place: { door: 'discord' as const, externalId: '600', kind: 'channel' as const },
  messageId: '1',
  text: 'hello',
  within: { server: '1', roles: ['7'] },
  answerable: 'by-reply' as const,
  sentAt: '2026-03-01T12:00:00.000Z',
};
const read = (threadOf: () => Promise<string | null>) => inItsThread(request, { threadOf });

describe('a message of a place that the session did not announce', () => {
  it('names the channel of its thread, and none in a channel', async () => {
    const within = { server: '1', roles: ['7'], threadOf: '5' };
    expect(await read(async () => '5')).toEqual({ ...request, within });
    expect(await read(async () => null)).toEqual(request);
  });

  it('waits while Discord does not tell, and is not answered where Discord does not show the place', async () => {
    const refused = (error: object) => read(() => Promise.reject(Object.assign(new Error('no'), error)));
    await expect(refused({ status: 503 })).rejects.toMatchObject({ code: 'unavailable' });
    for (const code of [10_003, 50_001])
      expect(await refused({ code })).toEqual({ ...request, answerable: 'not' });
  });
});
