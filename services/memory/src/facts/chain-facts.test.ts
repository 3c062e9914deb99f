import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PlacedFact } from './audience-facts.js';
import { chainFacts } from './chain-facts.js';
import { testingFact } from './testing-fact.js';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));

const fact = (value: string, from: number, over: Partial<PlacedFact> = {}) =>
  testingFact(day(from), { id: `${value} ${from}`, value, ...over });
/** All of them as they are once they are joined. */
function joined(...facts: PlacedFact[]): PlacedFact[] {
  const changed = new Map(chainFacts(facts).map((one) => [one.id, one]));
  return facts.map((one) => changed.get(one.id) ?? one);
}

describe('facts that were kept apart', () => {
  it('end with the first that was said after them', () => {
    const [tokyo, paris] = joined(
      fact('Tokyo', 20),
      fact('Paris', 5),
      fact('Rome', 30, { attribute: 'work' }),
    );
    expect(paris).toMatchObject({ validTo: day(20), supersededBy: 'Tokyo 20' });
    expect(tokyo).toMatchObject({ validTo: null, supersededBy: null });
    const again = fact('Paris', 5, { saidAt: day(25) });
    expect(chainFacts([fact('Tokyo', 20), again])).toMatchObject([
      { id: 'Tokyo 20', validTo: day(25), supersededBy: 'Paris 5' },
    ]);
  });

  it('name what took their place, and not what did not', () => {
    const bern = fact('Bern', 1, { validTo: day(5) });
    const [next, left] = joined(bern, fact('Rome', 1, { validTo: day(4) }), fact('Paris', 5));
    expect(next).toMatchObject({ validTo: day(5), supersededBy: 'Paris 5' });
    expect(left).toMatchObject({ validTo: day(4), supersededBy: null });
  });

  it('name none that lasted no time, as of one line with several values', () => {
    const rex = fact('Rex', 5, { validTo: day(5) });
    const max = fact('Max', 5, { validTo: day(5) });
    const bo = fact('Bo', 5, { validTo: day(9) });
    const before = fact('Ada', 1, { validTo: day(5) });
    expect(joined(before, rex, max, bo)).toMatchObject([
      { supersededBy: 'Bo 5' },
      { supersededBy: 'Bo 5' },
      { supersededBy: 'Bo 5' },
      { validTo: day(9), supersededBy: null },
    ]);
    expect(chainFacts([rex, max])).toEqual([]);
  });

  it('stay as they are before other audiences, where they can’t change, or beside what holds for a while', () => {
    const told = fact('Tokyo', 20, { audience: 'channel:discord:1' });
    expect(chainFacts([fact('Paris', 5), told])).toEqual([]);
    const birthday = { attribute: 'birthday' };
    expect(chainFacts([fact('3 May', 5, birthday), fact('4 May', 20, birthday)])).toEqual([]);
    const trip = fact('Rome', 20, { validTo: day(30), holdsUntil: day(30) });
    expect(chainFacts([fact('Paris', 5), trip])).toEqual([]);
  });

  it('hold one value that lasts, the last one said, however they come, and need to be joined once', () => {
    const someFact = fc.record({
      value: fc.constantFrom('Paris', 'Tokyo', 'Oslo'),
      from: fc.integer({ min: 1, max: 30 }),
      said: fc.integer({ min: 0, max: 20 }),
      ended: fc.option(fc.integer({ min: 1, max: 30 })),
    });
    fc.assert(
      fc.property(fc.array(someFact, { minLength: 1, maxLength: 8 }), (given) => {
        const facts = given.map(({ value, from, said, ended }, n) =>
          fact(value, from, {
            id: String(n),
            // No two are said at the same moment.
            saidAt: new Date(day(from + said).getTime() + n),
            validTo: ended === null ? null : day(from + said + ended),
          }),
        );
        const once = joined(...facts);
        expect(
          new Set(once.filter(({ validTo }) => validTo === null).map(({ value }) => value)).size,
        ).toBeLessThan(2);
        const ends = (some: readonly PlacedFact[]) => some.map(({ validTo }) => validTo);
        expect(ends(joined(...once))).toEqual(ends(once));
        expect(ends(joined(...facts.toReversed()).toReversed())).toEqual(ends(once));
      }),
    );
  });
});
