import { describe, expect, it } from '@jest/globals';
import { readTime } from './read-time.js';

const NOW = new Date('2026-05-20T12:00:00Z');
const day = (date: Date) => date.toISOString().slice(0, 10);
const spanOf = (query: string) => {
  const span = readTime(query, NOW);
  return span && [day(span.from), day(span.to)];
};

describe('the time a question asks about', () => {
  it.each([
    ['what did I say yesterday?', '2026-05-18', '2026-05-20'],
    ['what did we do last March?', '2026-03-01', '2026-04-01'],
    ['where was I in June?', '2025-06-01', '2025-07-01'],
    ['what was I up to in March 2024?', '2024-03-01', '2024-04-01'],
    ['what did I tell you on 7 May 2023?', '2023-05-06', '2023-05-08'],
    ['what happened in 2024?', '2024-01-01', '2025-01-01'],
    ['how was I last summer?', '2025-06-01', '2025-09-01'],
    ['what did I do in the winter of 2023?', '2023-12-01', '2024-03-01'],
    ['what was wrong three weeks ago?', '2026-04-25', '2026-05-03'],
    ['what did I plan two months ago?', '2026-03-04', '2026-04-04'],
    ['where did I live before 2020?', '1970-01-01', '2020-01-01'],
    ['what have I done since last Friday?', '2026-05-14', '2026-05-20'],
  ])('%s', (query, from, to) => {
    expect(spanOf(query)).toEqual([from, to]);
  });

  it.each([
    'what is my dog called?',
    'may I ask what I like?',
    'how does the sun feel?',
    'what will I do next week?',
    'what is for tomorrow?',
    'do I like spring?',
    'what is the second best?',
  ])('is none in: %s', (query) => {
    expect(spanOf(query)).toBeNull();
  });
});
