import { beforeAll, describe, expect, it } from '@jest/globals';
import { baselineOf } from '../affect/mood/baseline-of.js';
import { STRANGERS } from '../affect/bond/bond.js';
import { toCompanion, type Companion } from './companion.js';
import { loadPersonas, SHIPPED_FOLDER } from './load-personas.js';
import { styleKnobs } from './style-knobs.js';

let shipped: Companion[];
beforeAll(async () => {
  const { personas } = await loadPersonas([SHIPPED_FOLDER]);
  shipped = personas.map((persona) => toCompanion(persona, 1, 'UTC'));
});

const linesOf = ({ persona }: Companion) => [
  persona.greeting,
  ...persona.style.says,
  ...persona.exampleDialogue.flat().flatMap(({ who, text }) => (who === 'companion' ? [text] : [])),
];

describe('the shipped companions', () => {
  it('differ in more than words', () => {
    const distinct = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size;
    for (const part of [
      shipped.map(({ persona }) => persona.style.length),
      shipped.map(({ persona }) => persona.style.emoji),
      shipped.map(({ temperament }) => temperament.halfLifeMs),
      shipped.map(({ needs }) => needs),
      shipped.map(({ quirkRules }) => quirkRules.seeds),
    ]) {
      expect(distinct(part)).toBe(shipped.length);
    }
  });

  it('have baselines that stand apart in the plot', () => {
    const baselines = shipped.map(({ persona }) => baselineOf(persona.traits));
    for (const [n, one] of baselines.entries()) {
      for (const other of baselines.slice(n + 1)) {
        expect(Math.hypot(one.p - other.p, one.a - other.a, one.d - other.d)).toBeGreaterThan(0.2);
      }
    }
  });

  it('write to a stranger each in their own way', () => {
    const styles = shipped.map(({ persona }) => {
      const baseline = baselineOf(persona.traits);
      const { warmth, playfulness, initiative } = styleKnobs(baseline, baseline, STRANGERS, persona);
      return [persona.name, warmth, playfulness, initiative];
    });
    expect(styles.toSorted()).toEqual([
      ['Mira', 'friendly', 'some', 'share the lead'],
      ['Odo', 'friendly', 'little', 'follow'],
      ['Pip', 'friendly', 'a lot', 'lead'],
    ]);
  });

  it('say that they are an AI: in the greeting, and when asked', () => {
    for (const companion of shipped) {
      expect(companion.persona.greeting).toMatch(/\bAI\b/);
      expect(linesOf(companion).some((line) => /^No\b.*\bAI\b/s.test(line))).toBe(true);
    }
  });

  it('are told of to readers in the third person, never in the prompt’s words', () => {
    for (const { persona, view } of shipped) {
      expect(view.description).toMatch(new RegExp(`^${persona.name} `));
      expect(view.description).toMatch(/\bis an AI\b/);
      expect(view.description).not.toMatch(/\byou/i);
    }
  });

  it('plead with nobody, and are lonely for nobody', () => {
    const pleading =
      /lonel|miss(ed)? you|don't (go|leave)|stay (a little|with me)|without you|abandon|only (one|friend)/i;
    for (const companion of shipped) {
      for (const line of linesOf(companion)) expect(line).not.toMatch(pleading);
    }
  });

  it('let people go in a line or two, without a question that keeps them', () => {
    for (const { persona } of shipped) {
      const goodbye = persona.exampleDialogue.at(-1)?.at(-1)?.text ?? '';
      expect(goodbye.length).toBeLessThan(120);
      expect(goodbye).not.toContain('?');
    }
  });
});
