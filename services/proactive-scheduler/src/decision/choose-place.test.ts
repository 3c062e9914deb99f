import { describe, expect, it } from '@jest/globals';
import { choosePlace, isAnywhere, whyNowhere, type Places } from './choose-place.js';

const channel = { id: '42', problem: null };
const gone = { id: '42', problem: 'Discord 404/10003' };
const direct = { channelId: null };
const inChannel = { channelId: '42' };
const places = (settings: Places['settings'], over: Partial<Places> = {}): Places => ({
  settings,
  unreachable: null,
  isChannelOff: false,
  ...over,
});

describe('choosePlace', () => {
  it.each<[string, Places, string | null, unknown]>([
    ['a channel reason is said there', places({ direct: true, channel }), 'channel:discord:42', inChannel],
    ['a DM is never said in a channel', places({ direct: true, channel }), 'direct', direct],
    ['a DM, and no DM allowed', places({ direct: false, channel }), 'direct', null],
    ['another channel is none of theirs', places({ direct: false, channel }), 'channel:discord:7', null],
    ['what nobody told may be said anywhere', places({ direct: false, channel }), null, inChannel],
    ['DM alone allowed', places({ direct: true, channel: null }), 'channel:discord:42', direct],
    ['the channel is gone', places({ direct: true, channel: gone }), 'channel:discord:42', direct],
    ['the channel is gone, no DM', places({ direct: false, channel: gone }), 'channel:discord:42', null],
    ['the operator', places({ direct: true, channel }, { isChannelOff: true }), null, direct],
    ['the operator, no DM', places({ direct: false, channel }, { isChannelOff: true }), null, null],
    ['closed DMs', places({ direct: true, channel }, { unreachable: '50007' }), 'direct', null],
    [
      'closed DMs, a channel reason',
      places({ direct: true, channel }, { unreachable: '50007' }),
      null,
      inChannel,
    ],
  ])('%s', (_, where, told, expected) => expect(choosePlace(where, told)).toEqual(expected));

  it('says why there is no place at all', () => {
    const refused = places({ direct: true, channel: null }, { unreachable: 'Discord 403/50007' });
    expect([isAnywhere(refused), whyNowhere(refused)]).toEqual([false, 'Discord 403/50007']);
    const off = places({ direct: false, channel }, { isChannelOff: true });
    expect([isAnywhere(off), whyNowhere(off)]).toEqual([false, 'the operator keeps that channel quiet']);
    const lost = places({ direct: false, channel: gone });
    expect([isAnywhere(lost), whyNowhere(lost)]).toEqual([false, 'Discord 404/10003']);
    expect(isAnywhere(places({ direct: true, channel: gone }))).toBe(true);
  });
});
