import { expect, it, jest } from '@jest/globals';
import { withTalk } from '../e2e/talk.js';
import { chooseLines } from './choose-lines.js';
import { comparingTimeOf } from '../quotes/comparing-time.js';
import { quotesOf } from './reply-quotes.js';

const talk = withTalk();

it('finds the replies to removed lines without any time to compare, and those alone', async () => {
  const where = await talk.place();
  const told = await talk.sayTo(where, 'My knee hurts.', 'Oh no.');
  await talk.sayTo(where, 'I am off.', 'Mind your knee.');
  const found = async (isOver: boolean) =>
    talk.database.asSystem(async (tx) => {
      const { personId } = where;
      const lines = await chooseLines(tx, {
        personId,
        companionId: null,
        what: { sources: [told.messageId] },
      });
      if (isOver) jest.spyOn(comparingTimeOf(tx), 'isOver').mockReturnValue(true);
      const gone = new Map(lines.map(({ id }) => [id, new Set(['knee'])]));
      const ids = await quotesOf(tx, lines, gone, true);
      const rows = await tx.transcriptMessage.findMany({
        where: { id: { in: ids } },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ text }) => text);
    });
  expect(await found(false)).toEqual(['Oh no.', 'Mind your knee.']);
  expect(await found(true)).toEqual(['Oh no.']);
});
