import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readPersona } from '../persona/persona-file.js';
import { type Bond, STRANGERS } from '../relationship/bond.js';
import { baselineOf } from './baseline.js';
import { moodBlock } from './mood-block.js';
import { styleKnobs } from './style-knobs.js';

const reading = readPersona(
  'mira.json',
  readFileSync(new URL('../../companions/mira.json', import.meta.url), 'utf8'),
);
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const { persona } = reading;
const baseline = baselineOf(persona.traits);

const friends: Bond = {
  ...STRANGERS,
  ...{ familiarity: 0.7, affection: 0.75, trust: 0.7, interactions: 80, stage: 'friend' },
};
const feuding: Bond = {
  ...STRANGERS,
  ...{ familiarity: 0.3, affection: 0.2, trust: 0.15, interactions: 20 },
  ...{ stage: 'acquaintance', tension: 0.7, strained: true },
};

const block = (felt: typeof baseline, bond: Bond, selfNote: string | null = null) =>
  moodBlock({ felt, baseline, bond, persona, selfNote });

describe('the mood block', () => {
  it('reads as agreed for a stranger on a usual day', () => {
    expect(block(baseline, STRANGERS)).toBe(
      [
        '<mood>',
        "I'm slightly relaxed right now, as I usually am.",
        "We haven't talked before.",
        'Style: length as usual; warmth friendly; playfulness some; initiative share the lead; address polite; emoji rarely.',
        "It shows in how I write; I don't bring it up unless I'm asked, and I never make it the other one's task.",
        '</mood>',
      ].join('\n'),
    );
  });

  it('reads as agreed for a friend on a bright day', () => {
    expect(block({ p: 0.7, a: 0.15, d: 0.4 }, friends, 'A quiet day; nothing moved me much.')).toBe(
      [
        '<mood>',
        "I'm moderately exuberant right now, brighter, livelier and surer of myself than usual.",
        "We're friends by now, and I'm fond of them. They trust me with things.",
        'My note on the day before: A quiet day; nothing moved me much.',
        'Style: length a little longer than usual; warmth warm; playfulness a lot; initiative lead; address familiar; emoji rarely.',
        "It shows in how I write; I don't bring it up unless I'm asked, and I never make it the other one's task.",
        '</mood>',
      ].join('\n'),
    );
  });

  it('reads as agreed for someone it is at odds with', () => {
    expect(block({ p: -0.3, a: 0.2, d: 0.1 }, feuding)).toBe(
      [
        '<mood>',
        "I'm slightly hostile right now, lower and livelier than usual.",
        "There's tension between us. I stay civil, don't tease, and don't dig it up again.",
        'Style: length a little longer than usual; warmth cool; playfulness little; initiative share the lead; address civil and plain; emoji none.',
        "It shows in how I write; I don't bring it up unless I'm asked, and I never make it the other one's task.",
        '</mood>',
      ].join('\n'),
    );
  });
});

describe('style knobs', () => {
  it('are friendly with a stranger in the usual mood, and warm with a friend', () => {
    expect(styleKnobs(baseline, baseline, STRANGERS, persona).warmth).toBe('friendly');
    expect(styleKnobs(baseline, baseline, friends, persona).warmth).toBe('warm');
  });

  it('write less when calmer than usual', () => {
    expect(styleKnobs({ ...baseline, a: baseline.a - 0.3 }, baseline, friends, persona).length).toBe(
      'shorter than usual',
    );
  });

  it('give no emoji to a persona that uses none', () => {
    const plain = { ...persona, style: { ...persona.style, emoji: 'never' as const } };
    expect(styleKnobs({ p: 1, a: 1, d: 1 }, baseline, friends, plain).emoji).toBe('none');
  });
});
