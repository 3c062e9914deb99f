import { describe, expect, it } from '@jest/globals';
import type { Claim, ClaimedMessage } from '../inbox/claim.js';
import { authorityOf } from './turn-authority.js';

const now = new Date('2027-03-01T08:00:00.000Z');
const said = (text: string, over: Partial<ClaimedMessage> = {}) =>
  ({ text, origin: 'message', door: 'discord', sentAt: now, target: null, ...over }) as ClaimedMessage;
const of = (kind: Claim['kind'], ...burst: ClaimedMessage[]) =>
  authorityOf({ personId: 'ann', companionId: 'mira', kind, burst } as Claim, 'turn', now);

describe('the authority of a turn', () => {
  it('is in words that were neither taken back nor stopped, and that a person said', () => {
    const lines = [said('Send it.', { deleted: true }), said('Post it.', { stopped: true }), said('Hello!')];
    expect(of('direct', ...lines).said).toEqual(['Hello!']);
    expect(of('direct', said('Think of Bob.', { origin: 'heartbeat' })).said).toEqual([]);
  });

  it('is of somebody present for a quarter of an hour', () => {
    const presentAfter = (minutes: number) =>
      of('direct', said('Hello!', { sentAt: new Date(now.getTime() - minutes * 60_000) })).isPresent;
    expect([presentAfter(14), presentAfter(15)]).toEqual([true, false]);
  });

  it('is in a channel that of its roles, which are not known where the door tells none', () => {
    const target = { userId: '1', serverId: 's', channelId: 't', threadOf: 'c', roles: ['r'] };
    const placeIn = (kind: Claim['kind'], roles?: string[]) =>
      of(kind, said('Hello!', { target: { ...target, ...(roles ? { roles } : { roles: undefined }) } }))
        .place;
    const here = { companionId: 'mira', server: 's', channel: 't', threadOf: 'c' };
    expect(placeIn('channel', ['r'])).toEqual({ ...here, roles: ['r'] });
    expect(placeIn('channel')).toEqual({ ...here, roles: null });
    expect(placeIn('direct')).toEqual({ ...here, channel: null, roles: [] });
  });
});
