import { expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { UsualLanguages } from './usual-languages.js';

it('knows the language of somebody who had said nothing when it was first asked for', async () => {
  const rows: { text: string }[] = [];
  const reader = () => ({ $queryRaw: () => Promise.resolve(rows) });
  const usual = new UsualLanguages({ reader } as unknown as Database);
  expect(await usual.of('ada')).toBe('en');
  rows.push({ text: 'Ich wohne mit meinem Hund in Köln.' });
  expect(await usual.of('ada')).toBe('de');
  rows.length = 0;
  expect(await usual.of('ada')).toBe('de');
});
