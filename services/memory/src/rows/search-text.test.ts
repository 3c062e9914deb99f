import { expect, it } from '@jest/globals';
import { hasWord, likeness, READ, searchWords } from './search-text.js';

it('a text is folded once, where it is read, and not for each word that is looked for', () => {
  const words = { spaced: ['ramen'], unspaced: ['餃子', '味噌'] };
  expect(READ.sql).toContain('normalize');
  for (const { sql } of [hasWord(words), likeness(words)]) expect(sql).not.toMatch(/normalize|row\.text/);
});

it('a word that is nothing but lengthening is not looked for, as Postgres would refuse it', () => {
  expect(searchWords('ـــ كتاب').spaced).toEqual(['كتاب']);
});

it('emoji are looked for where there are no words', () => {
  expect(searchWords('🐶❤️')).toEqual({ spaced: [], unspaced: ['🐶', '❤'] });
  expect(searchWords('my dog 🐶')).toEqual({ spaced: ['dog'], unspaced: [] });
});

it('a query of signs that become six characters each is read no further than others', () => {
  const read = (query: string) => searchWords(query).unspaced;
  expect(read(`${'㌖'.repeat(2_000)} ラーメン`)).not.toContain('らーめん');
  expect(read(`${'a'.repeat(2_000)} ラーメン`)).toContain('らーめん');
});
