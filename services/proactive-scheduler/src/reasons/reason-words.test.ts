import { describe, expect, it } from '@jest/globals';
import { ReasonKind } from '@kith/contracts';
import { reasonForPerson, reasonForPrompt } from './reason-words.js';

const createdAt = new Date('2026-01-13T09:05:00Z');

describe('a reason in words', () => {
  it('tells when it was said, on the person’s clock, and how', () => {
    const reason = { kind: 'request' as const, about: 'ask me how the interview went', createdAt };
    expect(reasonForPrompt(reason, 'Europe/Berlin')).toBe(
      'On Tuesday, 13 January at 10:05 they asked you to come back to something, and now is the time. Their words: “ask me how the interview went”',
    );
    expect(reasonForPerson(reason, 'Europe/Berlin')).toBe(
      'You asked for it, on Tuesday, 13 January at 10:05: “ask me how the interview went”',
    );
  });

  it('tells of a day that comes every year in which year it was said', () => {
    const reason = { kind: 'date' as const, about: 'my 30th birthday is on 3 May', createdAt };
    for (const words of [reasonForPrompt(reason, 'UTC'), reasonForPerson(reason, 'UTC')])
      expect(words).toMatch(/Tuesday, 13 January 2026 at 09:05: “my 30th birthday is on 3 May”$/);
  });

  it.each(ReasonKind.options)('of kind %s stays short enough for a prompt', (kind) => {
    const about = 'long '.repeat(400);
    expect(reasonForPrompt({ kind, about, createdAt }, 'UTC').length).toBeLessThanOrEqual(500);
  });
});
