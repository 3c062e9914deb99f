import { describe, expect, it } from '@jest/globals';
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

  it('sums a day up in first person, the weightiest first', () => {
    const note = selfNote([
      event('joy', 0.2, 0.2),
      event('pity', 0.9, 0.1, 'ben'),
      event('gratitude', 0.5, 0.3),
      event('gratitude', 0.6, 0.4),
      event('liking', 0.1, 0.4),
    ]);
    expect(note).toBe(
      'I talked with 2 people. What stayed: there was kindness; there was sorrow, and it stayed with me; there was simple good company. I ended the day slightly relaxed, lighter than I began it.',
    );
  });

  it('says the same when the day is summed up again', () => {
    const events = [event('hope', 0.5, 0.2), event('joy', 0.5, 0.2), event('fear', 0.5, 0.2)];
    expect(selfNote(events)).toBe(selfNote([...events]));
  });
});
