import { expect, it } from '@jest/globals';
import { describeFact } from './describe-fact.js';

it.each([
  ['likes:jazz', 'likes', 'Ann likes jazz'],
  ['likes', 'jazz', 'Ann: likes is jazz'],
  ['allergy', 'nuts', 'Ann: allergy is nuts'],
  ['prefers:tea or coffee', 'tea', 'Ann prefers tea'],
  ['prefers', 'tea', 'Ann prefers tea'],
  ['constructor', 'steel', 'Ann: constructor is steel'],
])('tells %s with %s as "%s"', (attribute, value, sentence) => {
  const at = new Date('2026-05-03');
  const fact = {
    ...{ id: 'f', attribute, value, isSure: true, wording: null, importance: null },
    ...{ validFrom: at, validTo: null, holdsUntil: null, supersededBy: null },
    ...{ saidAt: at, evidence: 1, sources: [] },
  };
  expect(describeFact(fact, 'Ann')).toBe(`${sentence} (since 3 May 2026)`);
});
