import { expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { UsualLanguages } from './usual-languages.js';

/** Makes it over lines that a test may change, and counts how often they are read. */
function over(rows: { text: string }[]) {
  let reads = 0;
  const reader = () => ({ $queryRaw: () => Promise.resolve((reads += 1) && rows) });
  return { usual: new UsualLanguages({ reader } as unknown as Database), reads: () => reads };
}

it('knows the language of somebody who had said nothing when it was first asked for', async () => {
  const rows: { text: string }[] = [];
  const { usual } = over(rows);
  expect(await usual.of('ada')).toBe('en');
  rows.push({ text: 'Ich wohne mit meinem Hund in Köln.' });
  expect(await usual.of('ada')).toBe('de');
  rows.length = 0;
  expect(await usual.of('ada')).toBe('de');
});

it('does not read again and again what somebody says who never shows a language', async () => {
  const { usual, reads } = over(Array.from({ length: 40 }, () => ({ text: 'ok' })));
  expect([await usual.of('ada'), await usual.of('ada'), reads()]).toEqual(['en', 'en', 1]);
});
