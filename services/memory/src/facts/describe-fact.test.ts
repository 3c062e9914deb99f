import { expect, it } from '@jest/globals';
import { describeFact, nameIn } from './describe-fact.js';
import { testingFact } from './testing-fact.js';

it.each([
  ['likes:jazz', 'likes', 'Ann likes jazz'],
  ['likes', 'jazz', 'Ann: likes is jazz'],
  ['allergy', 'nuts', 'Ann: allergy is nuts'],
  ['prefers:tea or coffee', 'tea', 'Ann prefers tea'],
  ['prefers', 'tea', 'Ann prefers tea'],
  ['constructor', 'steel', 'Ann: constructor is steel'],
])('tells %s with %s as "%s"', (attribute, value, sentence) => {
  const fact = testingFact(new Date('2026-05-03'), { attribute, value });
  expect(describeFact(fact, 'Ann')).toBe(`${sentence} (since 3 May 2026)`);
});

it.each([
  ['age', null, 'Ann is 33 years old (said on 3 May 2026)'],
  ['age', new Date('2028-05-03'), 'Ann is 33 years old (said on 3 May 2026, no longer)'],
  ['son tom:age', null, 'Ann: son tom:age is 33 (said on 3 May 2026)'],
])('tells an age with the day on which it was said: %s', (attribute, validTo, told) => {
  const fact = testingFact(new Date('2026-05-03'), { attribute, value: '33', validTo });
  expect(describeFact(fact, 'Ann')).toBe(told);
  expect(nameIn(told, fact)).toBe('Ann');
});

it('tells an age that holds for a while with its end, and not as over', () => {
  const until = new Date('2026-05-17');
  const ends = { validTo: until, holdsUntil: until };
  const fact = testingFact(new Date('2026-05-03'), { attribute: 'age', value: '33', ...ends });
  expect(describeFact(fact, 'Ann')).toBe('Ann is 33 years old (said on 3 May 2026, until 17 May 2026)');
});
