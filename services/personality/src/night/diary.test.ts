import { describe, expect, it } from '@jest/globals';
import { EVERYWHERE } from '../persona/quirk.js';
import type { ReflectedQuirk } from './reflect-on-quirks.js';
import { diaryEntry } from './diary-entry.js';
import { diaryFor, diaryWithout } from './diary-for.js';
import type { DayEvent } from './self-note.js';

const event = (turnId: string, emotion: string, intensity: number): DayEvent => ({
  turnId,
  emotion,
  intensity,
  personId: `person of ${turnId}`,
  shared: { p: 0.2, a: -0.1, d: 0.3 },
});
const quirk: ReflectedQuirk = {
  kind: 'interest',
  text: 'sourdough',
  strength: 0.3,
  origin: 'reflection',
  day: '2026-05-04',
  audience: EVERYWHERE,
  sources: [
    { turnId: 'a', personId: 'person of a', audience: 'direct' },
    { turnId: 'd', personId: 'person of d', audience: 'direct' },
  ],
};
const day = (events: DayEvent[], quirks: ReflectedQuirk[] = []) =>
  diaryEntry({ day: '2026-05-04', events, quirks, exchanges: 5, people: 2 });

describe('the diary', () => {
  it('tells the day in order, each thing with its source', () => {
    const entry = day(
      [event('a', 'gratitude', 0.6), event('b', 'pity', 0.9), event('c', 'gratitude', 0.3)],
      [quirk],
    );
    expect(entry.text.replaceAll('\n', ' ')).toBe(
      '4 May 2026. 5 exchanges with 2 people. There was kindness [1]. There was sorrow, and it stayed with me [2]. I notice that I kept coming back to sourdough [1][3]. What came last left me slightly relaxed.',
    );
    expect(entry.sources).toEqual(
      ['a', 'b', 'd'].map((turnId, n) => ({ number: n + 1, turnId, personId: `person of ${turnId}` })),
    );
  });

  it('does not end a sad day bored', () => {
    const { text } = day([{ ...event('a', 'pity', 0.9), shared: { p: -0.2, a: -0.15, d: -0.3 } }]);
    expect(text).toMatch(/left me slightly subdued\.$/);
    const worried = day([{ ...event('a', 'fear', 0.9), shared: { p: -0.1, a: 0.3, d: 0.3 } }]);
    expect(worried.text).toMatch(/left me slightly tense\.$/);
  });

  it('tells each viewer what they gave rise to, and of others that the day was', () => {
    const { text } = day([event('a', 'gratitude', 0.6), event('b', 'pity', 0.9)], [quirk]);
    const frame = '4 May 2026. 5 exchanges with 2 people.';
    const end = 'What came last left me slightly relaxed.';
    expect(diaryFor(text, [])).toBe(`${frame} ${end}`);
    expect(diaryFor(text, [2])).toBe(`${frame} There was sorrow, and it stayed with me [2]. ${end}`);
    expect(diaryFor(text, [1])).toContain(
      'There was kindness [1]. I notice that I kept coming back to sourdough',
    );
    expect(diaryFor(text, [1, 2, 3])).toBe(text.replaceAll('\n', ' '));
  });

  it('keeps an entry of one line whole for who knows all of its sources, and from others all but the day', () => {
    const text =
      '4 May 2026. One exchange with one person. There was sorrow [1]. Again I said “so it goes” [2].';
    expect(diaryFor(text, [1, 2])).toBe(text);
    expect(diaryFor(text, [1])).toBe('4 May 2026.');
  });

  it('names a habit no more that is forgotten, and nothing else is lost', () => {
    const speech: ReflectedQuirk = { ...quirk, kind: 'speech', text: 'okay but first' };
    const { text } = day([event('a', 'gratitude', 0.6)], [quirk, speech]);
    const lines = text.split('\n');
    const without = (habit: ReflectedQuirk) => diaryWithout(text, habit).split('\n');
    expect(without(quirk)).toEqual(lines.filter((line) => !line.includes('sourdough')));
    expect(without(speech)).toEqual(lines.filter((line) => !line.includes('okay')));
    expect(without({ ...quirk, text: 'dough' })).toEqual(lines);
    const earlier = '4 May 2026. Again I said “so it goes” [2].';
    expect(diaryWithout(earlier, { ...speech, text: 'so it goes' })).toBe('4 May 2026.');
  });

  it('has no complaint about a day without anybody', () => {
    const entry = diaryEntry({ day: '2026-05-04', events: [], quirks: [], exchanges: 0, people: 0 });
    expect(entry).toEqual({
      text: '4 May 2026. A quiet day; nobody came by, and that is fine.',
      sources: [],
    });
  });

  it('reads the same when the day is written again', () => {
    const events = [event('a', 'hope', 0.5), event('b', 'joy', 0.5)];
    expect(day(events, [quirk])).toEqual(day([...events], [quirk]));
  });

  it('stays a paragraph however much happened', () => {
    const kinds = ['joy', 'hope', 'fear', 'pity', 'love', 'liking', 'pride', 'relief', 'anger', 'shame'];
    const entry = day(Array.from({ length: 500 }, (_, n) => event(`t${n}`, kinds[n % kinds.length]!, 0.5)));
    expect(entry.sources).toHaveLength(6);
    expect(entry.text.length).toBeLessThan(600);
  });
});
