import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyAppraisal } from '../e2e/any-appraisal.js';
import type { Appraisal } from './appraisal.js';
import { NO_EVENT } from './no-event.js';
import { emotionsOf } from './emotions-of.js';
import { EMOTIONS, type EmotionName } from './mood/emotions.js';

/** One appraisal for each emotion of the table. */
const CALLED_UP_BY: Record<EmotionName, Partial<Appraisal>> = {
  joy: { desirability: 0.5 },
  distress: { desirability: -0.5 },
  hope: { desirability: 0.5, prospect: 'hoped', likelihood: 0.5 },
  fear: { desirability: -0.5, prospect: 'feared', likelihood: 0.5 },
  satisfaction: { desirability: 0.5, prospect: 'confirmed' },
  disappointment: { desirability: 0.5, prospect: 'disconfirmed' },
  relief: { desirability: -0.5, prospect: 'disconfirmed' },
  'fears-confirmed': { desirability: -0.5, prospect: 'confirmed' },
  'happy-for': { desirability: 0.5, target: 'other', appealingness: 0.5 },
  pity: { desirability: -0.5, target: 'other', appealingness: 0.5 },
  resentment: { desirability: 0.5, target: 'other', appealingness: -0.5 },
  gloating: { desirability: -0.5, target: 'other', appealingness: -0.5 },
  pride: { praiseworthiness: 0.5, causedBy: 'self' },
  shame: { praiseworthiness: -0.5, causedBy: 'self' },
  admiration: { praiseworthiness: 0.5, causedBy: 'other' },
  reproach: { praiseworthiness: -0.5, causedBy: 'other' },
  liking: { appealingness: 0.5, target: 'object' },
  disliking: { appealingness: -0.5, target: 'object' },
  love: { appealingness: 0.9, target: 'object' },
  hate: { appealingness: -0.9, target: 'object' },
  gratification: { desirability: 0.5, praiseworthiness: 0.5, causedBy: 'self' },
  remorse: { desirability: -0.5, praiseworthiness: -0.5, causedBy: 'self' },
  gratitude: { desirability: 0.5, praiseworthiness: 0.5, causedBy: 'other' },
  anger: { desirability: -0.5, praiseworthiness: -0.5, causedBy: 'other' },
};

describe('emotions from an appraisal', () => {
  it.each(Object.entries(CALLED_UP_BY))('calls up %s', (name, variables) => {
    expect(emotionsOf({ ...NO_EVENT, ...variables }).map((emotion) => emotion.name)).toEqual([name]);
  });

  it('has a way to each of the table', () => {
    expect(Object.keys(CALLED_UP_BY).sort()).toEqual(Object.keys(EMOTIONS).sort());
    expect(Object.keys(EMOTIONS)).toHaveLength(24);
  });

  it('feels nothing at an event that is nothing', () => {
    expect(emotionsOf(NO_EVENT)).toEqual([]);
  });

  it('hopes the more the likelier it is', () => {
    const hope = (likelihood: number) =>
      emotionsOf({ ...NO_EVENT, desirability: 0.8, prospect: 'hoped', likelihood })[0]?.intensity ?? 0;
    expect(hope(0.9)).toBeGreaterThan(hope(-0.5));
    expect(hope(-1)).toBe(0);
  });

  it('gives at most two emotions, each of the table and of an intensity in (0, 1]', () => {
    fc.assert(
      fc.property(anyAppraisal, (appraisal) => {
        const emotions = emotionsOf(appraisal);
        expect(emotions.length).toBeLessThanOrEqual(2);
        for (const { name, intensity } of emotions) {
          expect(EMOTIONS).toHaveProperty([name]);
          expect(intensity).toBeGreaterThan(0);
          expect(intensity).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
