import { describe, expect, it } from '@jest/globals';
import type { NeedName } from '@kith/contracts';
import { chooseNeed } from './choose-need.js';

const need = (name: NeedName, urgency: number) => ({ need: name, level: urgency, urgency });

describe('a need to write for', () => {
  it('is the most urgent of those that a talk meets', () => {
    const needs = [need('rest', 0.95), need('play', 0.7), need('novelty', 0.8), need('care', 0.2)];
    expect(chooseNeed(needs)).toEqual({ need: 'novelty', about: 'hearing of something new' });
  });

  it('is none while nothing presses, or only what writing does not meet', () => {
    expect(chooseNeed([need('play', 0.44), need('autonomy', 1)])).toBeNull();
    expect(chooseNeed([])).toBeNull();
  });

  it('presses at the usual weight after one to two weeks without, and not within a week', () => {
    // As personality computes them for a persona that says nothing of its needs.
    const afterAWeek = [need('novelty', 0.38), need('play', 0.25), need('belonging', 0.21)];
    const afterTwoWeeks = [need('novelty', 0.57), need('belonging', 0.48), need('play', 0.45)];
    expect(chooseNeed(afterAWeek)).toBeNull();
    expect(chooseNeed(afterTwoWeeks.slice(0, 1))).toMatchObject({ need: 'novelty' });
    expect(chooseNeed(afterTwoWeeks.slice(1))).toMatchObject({ need: 'belonging' });
  });

  it('never says that somebody was missed', () => {
    for (const name of ['belonging', 'care', 'novelty', 'play', 'competence'] as const) {
      expect(chooseNeed([need(name, 1)])!.about).not.toMatch(/miss|lonely|alone|without you|need you/i);
    }
  });
});
