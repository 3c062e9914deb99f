import { describe, expect, it } from '@jest/globals';
import { WaitReason } from '@kith/contracts';
import type { OpenIntention } from './decide-outreach.js';
import { outlookOf } from './outlook-of.js';

const wait = (why: WaitReason, until: Date | null = null) => ({ kind: 'wait' as const, why, until });

describe('outlookOf', () => {
  it('has words of its own for each reason to wait', () => {
    const words = WaitReason.options.map((why) => outlookOf(wait(why), 'Discord 403/50007').words);
    expect(new Set(words).size).toBe(WaitReason.options.length);
    expect(words.every((line) => line.endsWith('.'))).toBe(true);
  });

  it('tells something that is still to come from nothing at all, and why nobody was reached', () => {
    const until = new Date('2026-01-14T12:00:00Z');
    expect(outlookOf(wait('nothing due', until), null)).toEqual({
      waitsFor: 'nothing due',
      until: '2026-01-14T12:00:00.000Z',
      words: 'It has something in mind, for which it is too early.',
    });
    expect(outlookOf(wait('nothing due'), null).words).toContain('nothing in mind');
    expect(outlookOf(wait('unreachable'), 'Discord 403/50007').words).toContain('Discord 403/50007');
  });

  it('says so when nothing keeps it from writing', () => {
    const decision = {
      kind: 'reach-out' as const,
      intention: {} as OpenIntention,
      place: { channelId: null },
    };
    expect(outlookOf(decision, null)).toMatchObject({ waitsFor: null, until: null });
  });
});
