import { describe, expect, it } from '@jest/globals';
import { factsForAudience, noteFact, type PlacedFact } from './audience-facts.js';
import type { DatedStatement } from './reconcile-fact.js';
import { testingFact } from './testing-fact.js';

const CHANNEL = 'channel:discord:1';
const day = (date: string) => new Date(`${date}T12:00:00Z`);

const fact = (id: string, value: string, from: string, over: Partial<PlacedFact> = {}) =>
  testingFact(day(from), { id, value, audience: CHANNEL, sources: [id], ...over });
const told = (id: string, value: string, from: string, over: Partial<PlacedFact> = {}) =>
  fact(id, value, from, { audience: 'direct', ...over });
const says = (value: string | null, at: string, over: Partial<DatedStatement> = {}): DatedStatement => ({
  attribute: 'home',
  value,
  isSure: true,
  at: day(at),
  sources: [`said ${at}`],
  ...over,
});
/** Each with when it ends. */
const endsOf = (facts: readonly PlacedFact[]) =>
  factsForAudience(facts).map(({ id, validTo }) => `${id} ${validTo?.toISOString().slice(0, 10) ?? 'holds'}`);

describe('facts told before several audiences', () => {
  it('are not ended by a guess that names no other value, if they were stated more than twice', () => {
    const guess = says(null, '2026-03-01', { isSure: false });
    const ended = (evidence: number) =>
      noteFact([fact('bern', 'Bern', '2026-01-01', { evidence })], guess, 'direct', () => 'new').length;
    expect([ended(2), ended(3)]).toEqual([1, 0]);
  });

  it('change nothing where they are of one audience or about different things', () => {
    const facts = [fact('a', 'Bern', '2026-01-01'), told('b', 'nurse', '2026-02-01', { attribute: 'job' })];
    expect(factsForAudience(facts)).toEqual(facts);
  });

  it('end with what was told later, whoever heard that', () => {
    const facts = [fact('bern', 'Bern', '2026-01-01'), told('rome', 'Rome', '2026-03-01')];
    expect(endsOf(facts)).toEqual(['bern 2026-03-01', 'rome holds']);
    expect(factsForAudience(facts)[0]!.supersededBy).toBe('rome');
    expect(endsOf([told('rome', 'Rome', '2026-03-01'), fact('oslo', 'Oslo', '2026-04-01')])).toEqual([
      'rome 2026-04-01',
      'oslo holds',
    ]);
  });

  it('hold when they were told again since', () => {
    const bern = fact('bern', 'Bern', '2026-01-01', { saidAt: day('2026-05-01') });
    expect(endsOf([bern, told('rome', 'Rome', '2026-03-01')])).toEqual(['bern holds', 'rome 2026-05-01']);
  });

  it('end with the first of what came after, and not later than they did where they were told', () => {
    const bern = fact('bern', 'Bern', '2026-01-01');
    const rome = told('rome', 'Rome', '2026-03-01', { validTo: day('2026-04-01'), supersededBy: 'oslo' });
    const oslo = told('oslo', 'Oslo', '2026-04-01');
    expect(endsOf([bern, oslo, rome])).toEqual(['bern 2026-03-01', 'oslo holds', 'rome 2026-04-01']);
    const ended = { ...bern, validTo: day('2026-02-01') };
    expect(endsOf([ended, rome])[0]).toBe('bern 2026-02-01');
  });

  it('end with nothing that holds for a while, if they last', () => {
    const until = { validTo: day('2026-04-01'), holdsUntil: day('2026-04-01') };
    const [bern, rome] = [fact('bern', 'Bern', '2026-01-01'), told('rome', 'Rome', '2026-03-01', until)];
    expect(endsOf([bern, rome])).toEqual(['bern holds', 'rome 2026-04-01']);
    const oslo = fact('oslo', 'Oslo', '2026-02-01', until);
    expect(endsOf([oslo, rome])[0]).toBe('oslo 2026-03-01');
  });

  it('are not ended by a guess once they are well known', () => {
    const guess = told('rome', 'Rome', '2026-03-01', { isSure: false });
    expect(endsOf([fact('bern', 'Bern', '2026-01-01', { evidence: 3 }), guess])[0]).toBe('bern holds');
    expect(endsOf([fact('bern', 'Bern', '2026-01-01'), guess])[0]).toBe('bern 2026-03-01');
  });

  it('end with the same told elsewhere, unless that was over by itself', () => {
    const bern = fact('bern', 'Bern', '2026-01-01');
    const over = { validTo: day('2026-03-01') };
    expect(endsOf([bern, told('too', 'bern', '2026-02-01', over)])[0]).toBe('bern 2026-03-01');
    const planned = { ...over, holdsUntil: over.validTo };
    expect(endsOf([bern, told('too', 'bern', '2026-02-01', planned)])[0]).toBe('bern holds');
  });
});

describe('a statement', () => {
  const note = (known: PlacedFact[], said: DatedStatement) => noteFact(known, said, 'direct', () => 'new');

  it('leaves the facts of others as they are', () => {
    const bern = fact('bern', 'Bern', '2026-01-01');
    expect(note([bern], says('Rome', '2026-03-01'))).toMatchObject([
      { id: 'new', value: 'Rome', audience: 'direct', validTo: null },
    ]);
    expect(note([bern], says('Bern', '2026-03-01'))).toMatchObject([{ id: 'new', audience: 'direct' }]);
  });

  it('that ends what others know is noted here, as told by the lines of both', () => {
    const bern = fact('bern', 'Bern', '2026-01-01');
    const [ended, ...more] = note([bern], says(null, '2026-03-01'));
    expect(more).toEqual([]);
    expect(ended).toMatchObject({
      id: 'new',
      audience: 'direct',
      value: 'Bern',
      sources: ['bern', 'said 2026-03-01'],
      validFrom: bern.validFrom,
      validTo: day('2026-03-01'),
    });
    expect(endsOf([bern, ended!])[0]).toBe('bern 2026-03-01');
    expect(note([bern, ended!], says(null, '2026-03-02'))).toEqual([]);
  });

  it('that ends what was told here, too, needs no second note', () => {
    const both = [fact('bern', 'Bern', '2026-01-01'), told('here', 'Bern', '2026-02-01')];
    const changed = note(both, says(null, '2026-03-01'));
    expect(changed).toMatchObject([{ id: 'here', validTo: day('2026-03-01') }]);
    expect(endsOf([both[0]!, changed[0]!])).toEqual(['bern 2026-03-01', 'here 2026-03-01']);
  });

  it('that is a guess is noted where it changes what is known elsewhere, and only there', () => {
    const guess = says('Rome', '2026-03-01', { isSure: false });
    expect(note([], guess)).toEqual([]);
    expect(note([fact('bern', 'Bern', '2026-01-01')], guess)).toMatchObject([
      { value: 'Rome', isSure: false },
    ]);
    expect(note([fact('rome', 'Rome', '2026-01-01')], guess)).toEqual([]);
  });
});
