import { describe, expect, it } from '@jest/globals';
import type { Fact } from '../facts/reconcile-fact.js';
import { testingFact } from '../facts/testing-fact.js';
import { describePerson, type DescribedMemory } from './describe-person.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const memory = (id: string, over: Partial<DescribedMemory> = {}): DescribedMemory => ({
  id,
  kind: 'episode',
  text: id,
  importance: 4,
  pinned: false,
  fact: null,
  saidAt: new Date('2026-05-01T12:00:00Z'),
  ...over,
});
const fact = (attribute: string, value: string, over: Partial<Fact> = {}): DescribedMemory =>
  memory(`${attribute}=${value}`, {
    kind: 'fact',
    fact: testingFact(new Date('2026-05-01T12:00:00Z'), { id: attribute, attribute, value, ...over }),
  });

describe('the page of a person', () => {
  it('says that there is nothing, where there is nothing', () => {
    expect(describePerson([memory('small talk')], null, NOW)).toEqual({
      name: null,
      sections: [],
      page: '# What is known of you\n\nNothing is known yet.\n',
    });
  });

  it('tells what holds, what is coming, what matters and what was, each with its memories', () => {
    const until = new Date('2026-06-05T00:00:00Z');
    const { page, sections } = describePerson(
      [
        fact('home', 'Tokyo'),
        fact('home', 'Paris', {
          validTo: new Date('2026-05-01T12:00:00Z'),
          validFrom: new Date('2020-01-01'),
        }),
        fact('likes:sushi', 'likes', { isSure: false }),
        fact('pet:dog', 'Rex'),
        fact('plan:move', 'flat', {
          wording: 'Ann moves to a new flat on 4 June 2026',
          holdsUntil: until,
          validTo: until,
        }),
        memory('I got\nmarried', { importance: 9 }),
        memory('A day of boxes.', { kind: 'reflection' }),
      ],
      'Ann',
      NOW,
    );
    expect(page).toBe(`# Ann

## Who they are

- Ann lives in Tokyo (since 1 May 2026)

## What they like and do

- Perhaps Ann likes sushi (since 1 May 2026)

## Whom and what they have in their life

- Ann’s dog is called Rex (since 1 May 2026)

## Now and soon

- Ann moves to a new flat on 4 June 2026 (said on 1 May 2026, until 5 June 2026)

## Moments that matter

- 1 May 2026: “I got married”

## Lately

- A day of boxes.

## What was

- Ann lives in Paris (from 1 January 2020 until 1 May 2026, no longer)
`);
    expect(sections[0]!.lines[0]!.memoryIds).toEqual(['home=Tokyo']);
  });
});
