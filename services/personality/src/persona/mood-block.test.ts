import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { NeedName } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import { readPersona } from '@kith/characters';
import { EVERYWHERE, type Quirk } from './quirk.js';
import { type Bond, STRANGERS } from '../affect/bond/bond.js';
import { baselineOf } from '../affect/mood/baseline-of.js';
import { MAX_MOOD_TOKENS, moodBlock } from './mood-block.js';
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
  familiarity: 0.7,
  affection: 0.75,
  trust: 0.7,
  interactions: 80,
  stage: 'friend',
};
const feuding: Bond = {
  ...STRANGERS,
  familiarity: 0.3,
  affection: 0.2,
  trust: 0.15,
  interactions: 20,
  stage: 'acquaintance',
  tension: 0.7,
  strained: true,
};

const STRANGERS_WHO_SPOKE: Bond = { ...STRANGERS, interactions: 3, familiarity: 0.06 };

type Input = Parameters<typeof moodBlock>[0];
const block = (
  felt: typeof baseline,
  bond: Bond,
  selfNote: string | null = null,
  { needs = [], quirks = [] }: Partial<Pick<Input, 'needs' | 'quirks'>> = {},
) => moodBlock({ felt, baseline, bond, persona, needs, quirks, selfNote });

const quirk = (kind: Quirk['kind'], text: string, strength: number): Quirk => ({
  kind,
  text,
  strength,
  origin: 'reflection',
  audience: EVERYWHERE,
  day: '2026-05-04',
});
const HABITS = [
  quirk('interest', 'sourdough', 0.4),
  quirk('speech', 'okay but first', 0.5),
  quirk('interest', 'maps', 0.7),
  quirk('interest', 'fading thing', 0.15),
];

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

describe('the mood block after sad or harsh talk', () => {
  const sorrow = { p: -0.2, a: -0.15, d: -0.3 };
  const playful = [
    { need: 'play' as const, level: 1, urgency: 0.9 },
    { need: 'care' as const, level: 0.8, urgency: 0.3 },
  ];

  it('is neither bored nor cool where sorrow was shared', () => {
    const text = block(sorrow, STRANGERS_WHO_SPOKE);
    expect(text).toContain("I'm slightly subdued right now, lower, calmer and less sure of myself");
    expect(text).toContain('warmth friendly');
  });

  it('is neither contemptuous nor hostile where one that is sure of itself shares sorrow and worry', () => {
    const grief = block({ p: -0.17, a: -0.07, d: 0.18 }, STRANGERS_WHO_SPOKE);
    expect(grief).toContain("I'm slightly sombre right now");
    const worry = block({ p: -0.1, a: 0.28, d: 0.31 }, STRANGERS_WHO_SPOKE);
    expect(worry).toContain("I'm slightly tense right now");
    for (const text of [grief, worry]) expect(text).toContain('warmth friendly');
  });

  it('is cool and hostile where the companion is displeased with somebody', () => {
    const text = block({ p: -0.2, a: 0.2, d: 0.2 }, { ...STRANGERS_WHO_SPOKE, tension: 0.25 });
    expect(text).toContain('warmth cool');
    expect(text).toContain("I'm slightly hostile right now");
  });

  it('is cool with everybody where that is its nature', () => {
    const grim = { p: -0.2, a: 0, d: 0.3 };
    expect(styleKnobs(grim, grim, STRANGERS_WHO_SPOKE, persona).warmth).toBe('cool');
  });

  it('wishes for neither nonsense nor news with a mourner, nor in a quarrel, but for what comes next', () => {
    const curious = playful.map((one, n) => (n === 0 ? { ...one, need: 'novelty' as const } : one));
    for (const [felt, bond] of [
      [sorrow, friends],
      [{ ...baseline, p: baseline.p - 0.2 }, friends],
      [baseline, feuding],
    ] as const)
      for (const needs of [playful, curious])
        expect(block(felt, bond, null, { needs })).toContain("I'd like to be of some use to somebody.");
    expect(block(baseline, friends, null, { needs: playful })).toContain('nonsense');
    expect(block(baseline, friends, null, { needs: curious })).toContain("something I don't know yet");
  });

  it('wishes for nothing that its style speaks against', () => {
    const tired = [{ need: 'rest' as const, level: 0.9, urgency: 0.4 }];
    expect(block({ ...baseline, a: baseline.a + 0.2 }, friends, null, { needs: tired })).not.toContain(
      'worn out',
    );
    expect(block({ ...baseline, a: baseline.a - 0.2 }, friends, null, { needs: tired })).toContain(
      'worn out',
    );
    const free = [{ need: 'autonomy' as const, level: 1, urgency: 0.4 }];
    expect(block({ ...baseline, d: -0.4 }, friends, null, { needs: free })).not.toContain('steered');
    expect(block(baseline, friends, null, { needs: free })).toContain('steered');
  });

  it('does not say of somebody who was harsh for long that the two have only just met', () => {
    const shunned = { ...feuding, familiarity: 0.95, affection: 0.01, trust: 0.01, interactions: 150 };
    for (const stage of ['stranger', 'acquaintance'] as const)
      expect(block(baseline, { ...shunned, stage, tension: 0, strained: false })).toContain(
        "We've talked a lot without growing close, and it has been prickly between us. I'm a little on my guard.",
      );
  });
});

describe('needs and quirks in the mood block', () => {
  it('read as agreed: the wish of the most urgent need, the strongest habits', () => {
    const needs = [
      { need: 'novelty' as const, level: 0.9, urgency: 0.4 },
      { need: 'care' as const, level: 0.8, urgency: 0.3 },
    ];
    expect(block(baseline, friends, null, { needs, quirks: HABITS }).split('\n').slice(2, -3)).toEqual([
      "We're friends by now, and I'm fond of them. They trust me with things.",
      "I'd enjoy hearing something I don't know yet.",
      'Lately I like to come back to: maps, sourdough.',
      'Now and then I catch myself saying “okay but first”.',
    ]);
  });

  it('are silent while nothing presses', () => {
    const needs = [{ need: 'belonging' as const, level: 0.5, urgency: 0.02 }];
    expect(block(baseline, friends, null, { needs })).toBe(block(baseline, friends));
  });

  it('say the same whatever order the habits come in', () => {
    expect(block(baseline, friends, null, { quirks: [...HABITS].reverse() })).toBe(
      block(baseline, friends, null, { quirks: HABITS }),
    );
  });

  it('ask nobody for anything, and put nobody in the wrong', () => {
    for (const need of NeedName.options) {
      const text = block(baseline, friends, null, { needs: [{ need, level: 1, urgency: 1 }] });
      expect(text).not.toMatch(
        /lonel|miss(ed)? (you|them)|alone|abandon|please|don't go|because of you|left me/i,
      );
    }
  });

  it('stay within the token limit: habits go first, the day before last', () => {
    const needs = [{ need: 'play' as const, level: 1, urgency: 1 }];
    const quirks = Array.from({ length: 12 }, (_, n) =>
      quirk(n % 2 ? 'interest' : 'speech', `${'extraordinarily long'.repeat(2)}${n}`, 0.9),
    );
    const note = 'I talked with 12 people. What stayed: there was kindness. '.repeat(5);
    const full = block({ p: 1, a: 1, d: 1 }, friends, note, { needs, quirks });
    expect(estimateTokens(full)).toBeLessThanOrEqual(MAX_MOOD_TOKENS);
    expect(full).toContain('My note on the day before');
    expect(full).not.toContain('extraordinarily');
    const endless = block(baseline, friends, note.repeat(9), { needs, quirks });
    expect(estimateTokens(endless)).toBeLessThanOrEqual(MAX_MOOD_TOKENS);
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
