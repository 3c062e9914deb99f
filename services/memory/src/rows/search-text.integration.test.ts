import { expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { onEachIndex } from '../e2e/on-each-index.js';
import { searchUnheard, searchWords } from './search-text.js';

onEachIndex('a search by Postgres', (memory) => {
  it('folds a text once, however many words are looked for', async () => {
    const line = '友達と新宿のラーメン屋に行って、味噌ラーメンと餃子を食べました。'.repeat(8);
    const { personId } = await memory.say('I was in Tokyo');
    const made = { shelf: 'withdrawn', text: line, sources: [] };
    await memory.stores.query(
      `INSERT INTO memories SELECT (jsonb_populate_record(row, $2::jsonb
         || jsonb_build_object('id', gen_random_uuid(), 'content_hash', md5(n::text)))).*
       FROM memories AS row, generate_series(1, 400) AS n WHERE person_id = $1`,
      [personId, made],
    );
    const timeOf = async (query: string) => {
      const started = performance.now();
      const found = await memory
        .get(Database)
        .read({ personId }, (tx) => searchUnheard(tx, { personId, companionId: 'wren' }, query, 3));
      expect(found).toHaveLength(3);
      return performance.now() - started;
    };
    const best = async (query: string) =>
      Math.min(await timeOf(query), await timeOf(query), await timeOf(query));
    // Where each word folded it again, this took six times as long.
    const [one, many] = [await best('餃子'), await best(line.slice(0, 32))];
    expect(many).toBeLessThan(one * 3 + 50);
  });
});

it('a query of signs that become six characters each is read no further than others', () => {
  const read = (query: string) => searchWords(query).unspaced;
  expect(read(`${'㌖'.repeat(2_000)} ラーメン`)).not.toContain('ラーメン');
  expect(read(`${'a'.repeat(2_000)} ラーメン`)).toContain('ラーメン');
});
