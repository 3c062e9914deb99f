import { expect, it } from '@jest/globals';
import { correctedFact } from './corrected-fact.js';
import { readByRules } from './read-by-rules.js';
import { reconcileFact } from './reconcile-fact.js';
import { testingFact } from './testing-fact.js';
import type { MemoryRow } from '../rows/memory-row.js';

it.each([
  ['home', 'Paris', 'Ann lives in Paris (since 5 May 2026)', 'Ann lives in Tokyo', 'home', 'Tokyo'],
  ['home', 'Paris', 'Ann lives in Paris (since 5 May 2026)', 'I live in Tokyo.', 'home', 'Tokyo'],
  [
    'home',
    'Paris',
    'Perhaps Ann lives in Paris (from 5 May 2026 until 6 May 2026, no longer)',
    'Ann lives in Tokyo (from 5 May 2026 until 6 May 2026, no longer)',
    'home',
    'Tokyo',
  ],
  ['name', 'Bob', 'This person is called Bob (since 5 May 2026)', 'This person is called Eva', 'name', 'Eva'],
  ['likes:tea', 'likes', 'Ann likes tea (since 5 May 2026)', 'Ann dislikes tea', 'likes:tea', 'dislikes'],
  ['likes:tea', 'likes', 'Ann likes tea (since 5 May 2026)', 'Ann likes Coffee', 'likes:coffee', 'likes'],
  ['likes:tea', 'likes', 'Ann likes tea (since 5 May 2026)', 'I love coffee.', 'likes:coffee', 'likes'],
  ['sister ida:job', 'nurse', 'Ida is a nurse.', 'Ida is a doctor', 'sister ida:job', 'doctor'],
  // The same in other words stays; a denial, or something else, is a value of its own.
  [
    'home',
    'Paris',
    'Ann lives in Paris (since 5 May 2026)',
    'Paris is where Ann is at home',
    'home',
    'Paris',
  ],
  ['name', 'Bob', 'This person is called Bob (since 5 May 2026)', 'Nobody calls them so', 'name', 'Bob'],
  ['home', 'Graz', 'Ann lives in Graz', 'Ann does not live in Graz', 'home', 'Ann does not live in Graz'],
  ['home', 'Graz', 'Ann lives in Graz', 'Ann wohnt nicht in Graz.', 'home', 'Ann wohnt nicht in Graz'],
  ['diet', 'vegan', 'Ann is vegan (since 5 May 2026)', 'Ann eats meat', 'diet', 'Ann eats meat'],
  [
    'habit:smoking',
    'does',
    'Ann goes in for smoking (since 5 May 2026)',
    'Ann does not smoke',
    'habit:smoking',
    'Ann does not smoke',
  ],
])('reads %s %s, "%s", put right as "%s"', (attribute, value, told, text, aboutNow, valueNow) => {
  const row = { attribute, value, text: told, validFrom: new Date('2026-05-05') } as MemoryRow;
  expect(correctedFact(row, text)).toEqual({ attribute: aboutNow, value: valueNow });
});

it.each([
  ['I quit smoking', []],
  ['I started smoking again', ['Ann does not smoke until 2026-06-01', 'does']],
])('changes a denial only by what is against it: %s', (text, changed) => {
  const at = (day: string) => new Date(`${day}T12:00:00Z`);
  const denial = testingFact(at('2026-05-05'), {
    attribute: 'habit:smoking',
    value: 'Ann does not smoke',
    wording: 'Ann does not smoke.',
    sources: ['m1'],
  });
  const facts = readByRules({ text }).flatMap((said) =>
    reconcileFact([denial], { ...said, at: at('2026-06-01'), sources: ['m2'] }, () => '2'),
  );
  const told = facts.map(({ value, validTo }) =>
    validTo === null ? value : `${value} until ${validTo.toISOString().slice(0, 10)}`,
  );
  expect(told.toSorted()).toEqual(changed);
});
