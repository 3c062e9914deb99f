import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isHolding, reconcileFact, type Fact, type DatedStatement } from './reconcile-fact.js';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const dayOf = (date: Date) => (date.getTime() - day(0).getTime()) / 86_400_000;
const says = (value: string | null, on: number, over: Partial<DatedStatement> = {}): DatedStatement => ({
  attribute: 'home',
  value,
  isSure: true,
  at: day(on),
  sources: [`${value} ${on}`],
  ...over,
});

/** Tells statements in the order they arrive. Returns every fact that was ever known. */
function told(...said: DatedStatement[]): Fact[] {
  const known = new Map<string, Fact>();
  let made = 0;
  for (const one of said)
    for (const fact of reconcileFact([...known.values()], one, () => `fact-${made++}`))
      known.set(fact.id, fact);
  return [...known.values()].toSorted((a, b) => Number(a.validFrom) - Number(b.validFrom));
}
/** Each with the days it holds from and to. */
const timesOf = (facts: readonly Fact[]) =>
  facts.map(
    ({ value, validFrom, validTo }) => `${value} ${dayOf(validFrom)}-${validTo ? dayOf(validTo) : ''}`,
  );
const holdingOn = (n: number, facts: readonly Fact[]) =>
  new Set(
    facts.filter((fact) => fact.validFrom <= day(n) && isHolding(fact, day(n))).map(({ value }) => value),
  );

const VALUES = ['Paris', 'Tokyo', 'Oslo'];
/** Statements of different days, and an order in which they arrive. */
const arriving = (one: (day: number) => fc.Arbitrary<DatedStatement>) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 7 })
    .chain((days) => fc.tuple(...days.toSorted((a, b) => a - b).map(one)))
    .chain((inOrder) =>
      fc.record({
        inOrder: fc.constant(inOrder),
        asItCame: fc.shuffledSubarray(inOrder, { minLength: inOrder.length }),
      }),
    );

describe('what is said late', () => {
  it('ends nothing that was said since, which holds again from then on', () => {
    const facts = told(says('Paris', 15), says('Paris', 24), says('Tokyo', 18));
    expect(timesOf(facts)).toEqual(['Paris 15-18', 'Tokyo 18-24', 'Paris 24-']);
    const [paris, tokyo, back] = facts as [Fact, Fact, Fact];
    expect(paris).toMatchObject({ supersededBy: tokyo.id, saidAt: day(15) });
    expect(tokyo.supersededBy).toBe(back.id);
    expect(back).toMatchObject({ supersededBy: null, saidAt: day(24), sources: paris.sources });
  });

  it('of an end changes nothing that was said since', () => {
    expect(timesOf(told(says('Paris', 15), says('Paris', 24), says(null, 18)))).toEqual(['Paris 15-']);
    expect(timesOf(told(says('Paris', 15), says('Paris', 18), says(null, 24)))).toEqual(['Paris 15-24']);
  });

  it('lets what held later begin sooner, unless something else was said in between', () => {
    const facts = told(says('Paris', 1), says('Paris', 4), says('Tokyo', 5), says('Tokyo', 2));
    expect(timesOf(facts)).toEqual(['Paris 1-2', 'Tokyo 2-4', 'Paris 4-5', 'Tokyo 5-']);
  });

  it('and only inferred is no news of what was said since', () => {
    const paris = [says('Paris', 15), says('Paris', 24)];
    expect(timesOf(told(...paris, says('Tokyo', 18, { isSure: false })))).toEqual(['Paris 15-']);
  });

  it('and only inferred ends nothing that was stated more than twice, though it names no other value', () => {
    const guess = says(null, 9, { isSure: false });
    const paris = [says('Paris', 1), says('Paris', 2), says('Paris', 3)];
    expect(timesOf(told(...paris, guess))).toEqual(['Paris 1-']);
    expect(timesOf(told(...paris.slice(1), guess))).toEqual(['Paris 2-9']);
  });

  it('of what cannot change ends nothing that was said since', () => {
    const birthday = (value: string, on: number) => says(value, on, { attribute: 'birthday' });
    const facts = told(birthday('3 May', 9), birthday('4 May', 1), birthday('4 May', 2));
    expect(timesOf(facts)).toEqual(['4 May 1-', '3 May 9-']);
  });

  it('leaves what holds in the end as it is, in whichever order all of it arrives', () => {
    const lasting = (on: number) => fc.constantFrom(...VALUES).map((value) => says(value, on));
    fc.assert(
      fc.property(arriving(lasting), ({ inOrder, asItCame }) => {
        const facts = told(...asItCame);
        expect(holdingOn(50, facts)).toEqual(holdingOn(50, told(...inOrder)));
        // Never two at once.
        for (const [n, fact] of facts.entries())
          expect(fact.validTo?.getTime()).toBe(facts[n + 1]?.validFrom.getTime());
      }),
    );
  });
});

describe('what holds for a while', () => {
  const forNow = (value: string, on: number, until: number) => says(value, on, { until: day(until) });

  it('ends nothing that lasts, which holds after it', () => {
    const facts = told(says('Paris', 1), forNow('Rome', 5, 30));
    expect(timesOf(facts)).toEqual(['Paris 1-', 'Rome 5-30']);
    expect(holdingOn(31, facts)).toEqual(new Set(['Paris']));
    // Back, or for good somewhere else, it is over.
    expect(timesOf(told(says('Paris', 1), forNow('Rome', 5, 30), says('Paris', 9)))).toEqual([
      'Paris 1-',
      'Rome 5-9',
    ]);
    expect(timesOf(told(says('Paris', 1), forNow('Rome', 5, 30), says('Oslo', 9)))).toEqual([
      'Paris 1-9',
      'Rome 5-9',
      'Oslo 9-',
    ]);
  });

  it('ends what held for a while before it, and both end where nothing holds any more', () => {
    const facts = [says('Paris', 1), forNow('Rome', 5, 30), forNow('Oslo', 9, 20)];
    expect(timesOf(told(...facts))).toEqual(['Paris 1-', 'Rome 5-9', 'Oslo 9-20']);
    expect(timesOf(told(...facts, says(null, 12)))).toEqual(['Paris 1-12', 'Rome 5-9', 'Oslo 9-12']);
    expect(timesOf(told(...facts, says(null, 12, { was: 'oslo' })))).toContain('Paris 1-');
  });

  it('lasts once that is said outright, and no mere inference', () => {
    const graz = forNow('Graz', 1, 15);
    const [lasting] = told(graz, says('Graz', 5, { wording: 'Ann has settled in Graz.' }));
    expect(lasting).toMatchObject({ validTo: null, holdsUntil: null, wording: 'Ann has settled in Graz.' });
    expect(timesOf(told(says('Paris', 1), graz, says('Graz', 5)))).toEqual(['Paris 1-5', 'Graz 1-']);
    expect(timesOf(told(graz, says('Graz', 5, { isSure: false })))).toEqual(['Graz 1-15']);
    // What had ended it stands.
    expect(timesOf(told(graz, says(null, 9), says('Graz', 5)))).toEqual(['Graz 1-9']);
  });

  it('holds as long as was said last, and puts no end to the same that lasts', () => {
    expect(timesOf(told(forNow('Graz', 1, 15), forNow('Graz', 5, 20)))).toEqual(['Graz 1-20']);
    expect(timesOf(told(forNow('Graz', 5, 20), forNow('Graz', 1, 15)))).toEqual(['Graz 1-20']);
    const [lasting] = told(says('Graz', 1), forNow('Graz', 5, 20));
    expect(lasting).toMatchObject({ validTo: null, holdsUntil: null, evidence: 2 });
  });

  it('holds longer by being inferred again, as a mood is', () => {
    const guess = { isSure: false };
    const facts = told(forNow('Graz', 1, 15), { ...forNow('Graz', 5, 20), ...guess });
    expect(timesOf(facts)).toEqual(['Graz 1-20']);
  });

  it('is over when it was to be, whatever came long after', () => {
    expect(timesOf(told(says('Oslo', 30), forNow('Rome', 5, 9)))).toEqual(['Rome 5-9', 'Oslo 30-']);
  });

  it('leaves what holds in the end as it is, in whichever order all of it arrives', () => {
    const either = (on: number) =>
      fc
        .record({ value: fc.constantFrom(...VALUES), days: fc.option(fc.integer({ min: 1, max: 30 })) })
        .map(({ value, days }) => (days === null ? says(value, on) : forNow(value, on, on + days)));
    fc.assert(
      fc.property(arriving(either), ({ inOrder, asItCame }) => {
        // Said for a while, what lasts counts as said again: whether it lasted by then is not known later.
        const isPassing = ({ value, until }: DatedStatement, n: number) =>
          until !== undefined &&
          inOrder.slice(0, n).some((one) => one.value === value && one.until === undefined);
        fc.pre(!inOrder.some(isPassing));
        const [facts, expected] = [told(...asItCame), told(...inOrder)];
        for (const n of [40, 45, 50, 60, 80]) expect(holdingOn(n, facts)).toEqual(holdingOn(n, expected));
        for (const { validFrom, validTo } of facts)
          expect(validTo === null || validTo > validFrom).toBe(true);
      }),
    );
  });
});
