import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DayTurn, findHabits, type Habit } from './find-habits.js';
import { fadedTo, type Quirk, type QuirkRules, USUAL_RULES } from '../persona/quirk.js';
import { reflectOnQuirks } from './reflect-on-quirks.js';

let turns = 0;
const turn = (personId: string, said: string, change: Partial<DayTurn> = {}): DayTurn => ({
  turnId: `turn-${(turns += 1)}`,
  personId,
  names: [],
  isChannel: true,
  pleasant: true,
  said: [said],
  replies: [],
  ...change,
});
const interests = (day: DayTurn[]) => findHabits(day).map(({ text }) => text);
const SAID = 'I baked sourdough again';

describe('what may become a habit', () => {
  it('is what several people talk about where it can be heard', () => {
    const day = [turn('ana', SAID), turn('ben', SAID), turn('ana', SAID)];
    expect(findHabits(day)).toEqual([
      { kind: 'interest', text: 'baked', sources: expect.any(Array) },
      {
        kind: 'interest',
        text: 'sourdough',
        sources: day.map(({ turnId, personId }) => ({ turnId, personId })),
      },
    ]);
  });

  it('is never what one person says alone with the companion, however often', () => {
    const alone = { isChannel: false };
    expect(interests(Array.from({ length: 20 }, () => turn('ana', SAID, alone)))).toEqual([]);
    expect(
      interests([...Array.from({ length: 9 }, () => turn('ana', SAID, alone)), turn('ben', SAID)]),
    ).toEqual([]);
  });

  it('takes no source from private talk to help a channel over the line', () => {
    const day = [turn('ana', SAID), turn('ben', SAID), turn('ana', SAID, { isChannel: false })];
    expect(interests(day)).toEqual([]);
  });

  it('may come from direct talk once three people came up with it on their own', () => {
    const day = ['ana', 'ben', 'cem'].map((person) => turn(person, SAID, { isChannel: false }));
    expect(interests(day)).toContain('sourdough');
  });

  it('has enough people behind it, whoever says what where', () => {
    const anyTurn = fc
      .record({
        personId: fc.constantFrom('ana', 'ben', 'cem', 'dia'),
        isChannel: fc.boolean(),
        word: fc.constantFrom('sourdough', 'telescope', 'juggling'),
      })
      .map(({ personId, isChannel, word }) => turn(personId, word, { isChannel }));
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 25 }), (day) => {
        for (const { sources } of findHabits(day)) {
          const people = new Set(sources.map(({ personId }) => personId)).size;
          const ids = new Set(sources.map(({ turnId }) => turnId));
          const allPublic = day.filter(({ turnId }) => ids.has(turnId)).every(({ isChannel }) => isChannel);
          expect(people >= 3 || (people >= 2 && allPublic)).toBe(true);
        }
      }),
    );
  });

  it('is nobody by name, no link and no plain word', () => {
    const said = 'Philippa and morgan love https://example.org/trains today, see example.org';
    const day = ['ana', 'ben', 'cem'].map((person) => turn(person, said, { names: ['Morgan'] }));
    expect(interests(day)).toEqual([]);
  });

  it('is not what came up in turns that were no pleasure', () => {
    const day = ['ana', 'ben', 'cem'].map((person) => turn(person, 'my migraine', { pleasant: false }));
    expect(interests(day)).toEqual([]);
  });

  it('is not an opening that names somebody', () => {
    const replies = ['Oh, hello.', 'Well done Philippa, soup.'];
    expect(findHabits(['ana', 'ben', 'cem'].map((person) => turn(person, 'hm', { replies })))).toEqual([]);
  });

  it('is also how its own replies keep beginning', () => {
    const replies = ['Okay but first, soup.'];
    const day = ['ana', 'ben', 'ana'].map((person) => turn(person, 'hm', { replies, pleasant: false }));
    expect(findHabits(day)).toEqual([{ kind: 'speech', text: 'okay but first', sources: expect.any(Array) }]);
  });
});

const sources = [{ turnId: 't1', personId: 'ana' }];
const habit = (text: string, kind: Habit['kind'] = 'interest'): Habit => ({ kind, text, sources });
const quirk = (text: string, strength: number, change: Partial<Quirk> = {}): Quirk => ({
  ...{ kind: 'interest', text, strength, origin: 'reflection', day: '2026-05-01' },
  ...change,
});
const rules = (change: Partial<QuirkRules> = {}): QuirkRules => ({ ...USUAL_RULES, ...change });
const night = (quirks: Quirk[], habits: Habit[], change: Partial<QuirkRules> = {}) =>
  reflectOnQuirks(quirks, habits, rules(change), '2026-05-02');

describe('the night over the quirks', () => {
  it('picks up one habit of a kind, the strongest', () => {
    const { kept } = night([], [habit('sourdough'), habit('telescope'), habit('okay but', 'speech')]);
    expect(kept.map(({ text, strength, origin }) => [text, strength, origin])).toEqual([
      ['sourdough', 0.3, 'reflection'],
      ['okay but', 0.3, 'reflection'],
    ]);
    expect(kept[0]?.sources).toEqual(sources);
  });

  it('strengthens what the day fed and lets the rest fade until it is gone', () => {
    const { kept, gone } = night(
      [quirk('sourdough', 0.4), quirk('telescope', 0.4), quirk('juggling', 0.1)],
      [habit('sourdough')],
    );
    expect(kept.map(({ text }) => text)).toEqual(['sourdough', 'telescope']);
    expect(kept[0]?.strength).toBeGreaterThan(0.5);
    expect(kept[1]?.strength).toBeLessThan(0.4);
    expect(gone.map(({ text }) => text)).toEqual(['juggling']);
  });

  it('keeps to the limit', () => {
    const known = [quirk('sourdough', 0.5), quirk('telescope', 0.5)];
    expect(night(known, [habit('juggling')], { limit: 2 }).kept.map(({ text }) => text)).not.toContain(
      'juggling',
    );
    expect(night([], [habit('juggling')], { limit: 0 }).kept).toEqual([]);
  });

  it('takes up nothing that the persona vetoes, and drops what it vetoes since', () => {
    const veto = ['sourdough', 'but first'];
    const { kept, gone } = night(
      [quirk('sourdough', 0.9)],
      [habit('okay but first', 'speech'), habit('sourdoughs')],
      { veto },
    );
    expect(kept.map(({ text }) => text)).toEqual(['sourdoughs']);
    expect(gone.map(({ text }) => text)).toEqual(['sourdough']);
  });

  it('leaves a seed of the persona at half its strength', () => {
    const seeds = [{ kind: 'interest' as const, text: 'maps', strength: 0.8 }];
    const later = fadedTo(quirk('maps', 0.8, { origin: 'persona' }), '2027-05-01', rules({ seeds }));
    expect(later.strength).toBeCloseTo(0.4, 12);
  });

  it('comes to the same whether nights were missed or not', () => {
    const nights = ['2026-05-02', '2026-05-03', '2026-05-04'];
    const oneByOne = nights.reduce((one, day) => fadedTo(one, day, USUAL_RULES), quirk('maps', 0.8));
    const atOnce = fadedTo(quirk('maps', 0.8), '2026-05-04', USUAL_RULES);
    expect(oneByOne.strength).toBeCloseTo(atOnce.strength, 12);
    expect(oneByOne.day).toBe(atOnce.day);
  });
});
