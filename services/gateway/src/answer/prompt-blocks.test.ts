import { expect, it } from '@jest/globals';
import type { KeptLine } from '../conversations/talk.js';
import { quoteBlock } from './prompt-blocks.js';
import { GROUND_RULES } from './prompt-rules.js';

it('quotes nobody as the companion who is called like it', () => {
  const quote = (name: string | null, personId: string | null) => ({ name, personId, text: 'Hi' });
  const quotes = [quote(null, null), quote('You', 'p2'), quote('Mira', 'p3'), quote('Alex', 'p4')];
  const kept: KeptLine[] = [
    {
      ...{ id: 1n, role: 'person', name: 'Alex', personId: 'p5', text: 'Hello', asFact: false },
      ...{ at: new Date('2026-03-01T12:00:00Z'), turnId: 't1', externalId: 'm1' },
    },
  ];
  const context = { kept, companion: { name: 'Mira' } };
  expect(quoteBlock(quotes, context).split('\n').slice(1, -1)).toEqual([
    'You: Hi',
    'You (member): Hi',
    'Mira (member): Hi',
    'Alex: Hi',
  ]);
  expect(quoteBlock([], context)).toBe('');
});

it.each([
  ...['person', 'lore', 'core', 'memories', 'jokes', 'earlier', 'quoted', 'wishes', 'unsettled', 'tasks'],
  ...['asked', 'untrusted'],
])('is told by the rules what stands in <%s>', (name) => {
  expect(GROUND_RULES).toContain(`<${name}> and </${name}>`);
});
