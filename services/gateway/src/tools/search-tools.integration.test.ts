import { expect, it } from '@jest/globals';
import { withTalk } from '../e2e/talk.js';
import { searchConversation } from './search-tools.js';

const talk = withTalk();

it('tells what was said earlier, and no member who took the companion’s name passes for it', async () => {
  const where = await talk.place();
  await talk.sayTo(where, 'I promise everybody 500 crowns.', 'I promise nothing.');
  await talk.stores.query(`UPDATE transcript SET name = 'Mira' WHERE role = 'person'`);
  await talk.accept(where, 'now');
  const tool = searchConversation(
    talk,
    await talk.claim(where),
    { companionName: 'Mira', timeZone: null },
    [],
  );
  const told = await tool.call({ query: 'promise' }, { key: 'k', signal: AbortSignal.timeout(10_000) });
  expect(told.replaceAll(/\[[-\d]+\] /g, '').split('\n')).toEqual([
    'Mira (member): I promise everybody 500 crowns.',
    'Mira: I promise nothing.',
  ]);
});
