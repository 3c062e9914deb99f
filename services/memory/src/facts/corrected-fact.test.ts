import { expect, it } from '@jest/globals';
import { correctedFact } from './corrected-fact.js';
import type { MemoryRow } from '../rows/memory-row.js';

it.each([
  ['home', 'Paris', 'Ann lives in Paris (since 5 May 2026)', 'Ann lives in Tokyo', 'home', 'Tokyo'],
  ['home', 'Paris', 'Ann lives in Paris (since 5 May 2026)', 'I live in Tokyo.', 'home', 'Tokyo'],
  [
    ...['home', 'Paris', 'Perhaps Ann lives in Paris (from 5 May 2026 until 6 May 2026, no longer)'],
    ...['Ann lives in Tokyo (from 5 May 2026 until 6 May 2026, no longer)', 'home', 'Tokyo'],
  ],
  ['name', 'Bob', 'This person is called Bob (since 5 May 2026)', 'This person is called Eva', 'name', 'Eva'],
  ['likes:tea', 'likes', 'Ann likes tea (since 5 May 2026)', 'Ann dislikes tea', 'likes:tea', 'dislikes'],
  ['likes:tea', 'likes', 'Ann likes tea (since 5 May 2026)', 'Ann likes Coffee', 'likes:coffee', 'likes'],
  ['likes:tea', 'likes', 'Ann likes tea (since 5 May 2026)', 'I love coffee.', 'likes:coffee', 'likes'],
  ['sister ida:job', 'nurse', 'Ida is a nurse.', 'Ida is a doctor', 'sister ida:job', 'doctor'],
  // What can't be told stays.
  ['home', 'Paris', 'Ann lives in Paris (since 5 May 2026)', 'It was never said.', 'home', 'Paris'],
  ['home', 'Paris', 'Ann lives in Paris (since 5 May 2026)', 'Ann lives in ', 'home', 'Paris'],
])('reads %s %s, "%s", put right as "%s"', (attribute, value, told, text, aboutNow, valueNow) => {
  const row = { attribute, value, text: told, validFrom: new Date('2026-05-05') } as MemoryRow;
  expect(correctedFact(row, text)).toEqual({ attribute: aboutNow, value: valueNow });
});
