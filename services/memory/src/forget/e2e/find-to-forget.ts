import { describe, expect, it } from '@jest/globals';
import { memoryContract } from '@kith/contracts';
import type { Orders } from './orders.js';

/** Tests what a search for something to forget finds. */
export function findToForget(orders: Orders): void {
  const { say, sayOn, rowsOf } = orders.memory;
  const { memory, ask, find } = orders;

  const found = async (personId: string, query: string) => {
    const ids = await find(personId, query);
    const rows = (await rowsOf(personId)).filter(({ id }) => ids.includes(String(id)));
    return rows.map(({ text }) => String(text)).toSorted();
  };
  describe('finding what to forget', () => {
    it('finds what to forget in its own language, whatever the form of its words', async () => {
      const { personId } = await say(['Meine Wohnungen in Graz sind zu klein', 'Ich backe gern Brote']);
      expect(await found(personId, 'Vergiss das mit der Wohnung')).toEqual([
        'Meine Wohnungen in Graz sind zu klein',
      ]);
    });

    it.each([
      ['Ich war im Krankenhaus wegen meinem Knie.', 'Krankenhaus'],
      ['Wir waren im Café Möhring in Zürich.', 'MÖHRING'.normalize('NFD')],
      ['Wir waren im Café Möhring in Zürich.'.normalize('NFD'), 'Möhring'],
      ['Ich war im Kran\u00adken\u00adhaus wegen meinem Knie.', 'krankenhaus'],
      ['Die Große Bleiche ist laut.', 'GROSSE BLEICHE'],
      ['昨日ﾗｰﾒﾝを食べました', 'ラーメン'],
      ['أحب القَهْوَة\u200f كثيرا', 'القهوة'],
      ['قابلت أحمد في مستشفى القاهرة', 'احمد'],
      ['قابلت أحمد في مستشفى القاهرة', 'مستشفي'],
      ['أحب القهوة كثيرا', 'القـهوه'],
      ['昨日ﾘﾝｺﾞを食べました', 'りんご'],
      ['ねこを飼っています', 'ネコ'],
      ['My locker has the code １２３４', '1234'],
      ['🐶 sleeps in my bed', '🐶'],
      ['🐶 sleeps in my bed', 'please forget the 🐶'],
      ['I wave 👋🏽', '👋'],
      ['I wave 👋', '👋🏿'],
      ['We are 👨‍👩‍👧 now', '👨‍👩‍👧'],
      ['Who knows 🤷🏽‍♀️', '🤷'],
      ['I ❤ skiing', '❤️'],
      ['Off to 🇯🇵 again', '🇯🇵'],
    ])('finds %j by %j, heard or not, though its writer says most in English', async (text, query) => {
      const { personId } = await say([
        'I bake bread in the old house',
        'I know what I want for the day',
        text,
      ]);
      const heard = await found(personId, query);
      await memory.stores.query(`UPDATE memories SET shelf = 'withdrawn' WHERE person_id = $1`, [personId]);
      expect([heard, await found(personId, query)]).toEqual([[text], [text]]);
    });

    it('finds by an emoji only where no word finds anything', async () => {
      const { personId } = await say(['My dog Rex snores', 'I ❤️ skiing', 'I knit ❤️ and 🐶']);
      const count = async (query: string) => (await find(personId, query)).length;
      expect([await count('my dog ❤️'), await count('❤'), await count('🐱')]).toEqual([1, 2, 0]);
    });

    it('finds what was told in a server that was left, which is not recalled', async () => {
      const audience = 'channel:discord:gone-by' as const;
      const { personId } = await say('My sister Ida has a limp', { audience });
      await ask(memoryContract.import, {
        personId,
        companionId: 'wren',
        records: [{ text: 'Ida bakes bread', saidAt: '2026-01-01T10:00:00Z' }],
      });
      await memory.parts.left.note([audience], true);
      const told = await found(personId, 'forget about Ida');
      await memory.parts.left.note([audience], false);
      expect(told).toEqual(['Ida bakes bread', 'My sister Ida has a limp']);
    });

    it('finds what was withdrawn or is in quarantine, which is not recalled either', async () => {
      const { personId } = await say(['My knee hurts', 'My knee is blue', 'My knee is fine', 'I bake bread']);
      for (const [text, shelf] of [
        ['My knee hurts', 'withdrawn'],
        ['My knee is blue', 'quarantine'],
      ])
        await memory.stores.query('UPDATE memories SET shelf = $3 WHERE person_id = $1 AND text = $2', [
          personId,
          text,
          shelf,
        ]);
      expect(await found(personId, 'my knee')).toEqual(
        ['My knee hurts', 'My knee is blue', 'My knee is fine'].toSorted(),
      );
    });

    it('finds what is in quarantine, however much was withdrawn since', async () => {
      const { personId } = await sayOn('2026-04-01', 'My knee is blue');
      const shelve = (shelf: string) =>
        memory.stores.query(`UPDATE memories SET shelf = $2 WHERE person_id = $1 AND shelf = 'open'`, [
          personId,
          shelf,
        ]);
      await shelve('quarantine');
      const days = Array.from({ length: 12 }, (_, n) => `My knee hurts for ${n + 2} days`);
      await say(days, { personId });
      await shelve('withdrawn');
      const knees = await found(personId, 'my knee');
      expect(knees).toContain('My knee is blue');
      expect(knees).toHaveLength(11);
    });

    it('finds nothing to forget for words that are about nothing', async () => {
      const { personId } = await say(['My knee hurts', 'I bake bread', 'We moved to Paris']);
      expect(await find(personId, 'xyzzy plugh')).toEqual([]);
      expect(await find(personId, 'what was that about?')).toEqual([]);
    });
  });
}
