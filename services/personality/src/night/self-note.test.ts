import { describe, expect, it } from '@jest/globals';
import { EMOTIONS } from '../affect/mood/emotions.js';
import { type DayEvent, selfNote } from './self-note.js';

const event = (emotion: string, intensity: number, p: number, personId = 'ana'): DayEvent => ({
  turnId: 'turn',
  emotion,
  intensity,
  personId,
  shared: { p, a: -0.1, d: 0.3 },
});

describe('the self-note', () => {
  it('says that a day without events was quiet', () => {
    expect(selfNote([])).toBe('A quiet day; nothing moved me much.');
  });

  const day = (feltWithBen: string) => [
    event('joy', 0.2, 0.2),
    event(feltWithBen, 0.9, 0.1, 'ben'),
    event('gratitude', 0.6, 0.4),
  ];

  it('sums a day up in first person', () => {
    expect(selfNote(day('pity'))).toBe(
      'I talked with 2 people. What came last left me slightly relaxed, lighter than what came first.',
    );
  });

  it('does not say that sorrow bored it', () => {
    const shared = { p: -0.2, a: -0.15, d: -0.3 };
    expect(selfNote([{ ...event('pity', 0.9, -0.2), shared }])).toMatch(/left me slightly subdued\.$/);
    const sure = { ...shared, d: 0.2 };
    expect(selfNote([{ ...event('pity', 0.9, -0.2), shared: sure }])).toMatch(/left me slightly sombre\.$/);
  });

  it('says of a day of harsh words and a recovery no more than its events show', () => {
    const note = selfNote([event('anger', 0.9, -0.1), event('relief', 0.3, 0.2)]);
    expect(note).toMatch(/lighter than what came first\.$/);
    expect(note).not.toMatch(/\b(?:began|ended|day)\b/);
  });

  it('says the same whatever was felt with somebody: of two people, one would know it of the other', () => {
    const notes = new Set(Object.keys(EMOTIONS).map((emotion) => selfNote(day(emotion))));
    expect(notes.size).toBe(1);
    for (const emotion of Object.keys(EMOTIONS)) expect([...notes][0]).not.toContain(emotion);
  });

  it('says the same when the day is summed up again', () => {
    const events = day('fear');
    expect(selfNote(events)).toBe(selfNote([...events]));
  });
});
