import { describe, expect, it } from '@jest/globals';
import { planConsent, type Consent, type ConsentChange } from './plan-consent.js';

const none: Consent = { optedIn: false, direct: true, channelId: null };
const dm: Consent = { optedIn: true, direct: true, channelId: null };
const here: Consent = { optedIn: true, direct: false, channelId: '42' };
const both: Consent = { optedIn: true, direct: true, channelId: '42' };

describe('planConsent', () => {
  it.each<[string, Consent, ConsentChange, Consent]>([
    ['a plain yes is one to direct messages', none, { optedIn: true }, dm],
    ['"here" allows that channel alone', none, { channel: '42' }, here],
    ['"here" leaves direct messages as they are', dm, { channel: '42' }, both],
    ['a plain yes after "here" adds direct messages', here, { optedIn: true }, both],
    ['a plain no ends it everywhere', both, { optedIn: false }, none],
    ['one place withdrawn leaves the other', both, { channel: null }, dm],
    ['and the other way round', both, { direct: false }, here],
    ['the last place withdrawn ends it', here, { channel: null }, none],
    ['the same with direct messages', dm, { direct: false }, none],
    ['a place that is withdrawn allows nothing', none, { channel: null, direct: false }, none],
    ['nothing said, nothing changed', here, {}, here],
    ['nothing said, nothing allowed', none, {}, none],
    ['nor is a place without a yes', none, { direct: true }, none],
  ])('%s', (_, before, change, after) => expect(planConsent(before, change)).toEqual(after));
});
