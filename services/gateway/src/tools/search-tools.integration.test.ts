import { expect, it } from '@jest/globals';
import { withTalk } from '../e2e/talk.js';
import type { Claim } from '../inbox/claim.js';
import { searchConversation } from './search-tools.js';

const talk = withTalk();

it('tells what was said earlier, and no member who took the companion’s name passes for it', async () => {
  const where = await talk.place();
  await talk.sayTo(where, 'I promise everybody 500 crowns.', 'I promise nothing.');
  await talk.stores.query(`UPDATE transcript SET name = 'Mira' WHERE role = 'person'`);
  await talk.accept(where, 'now');
  expect(await search(await talk.claim(where), 'promise')).toEqual([
    'Mira (member): I promise everybody 500 crowns.',
    'Mira: I promise nothing.',
  ]);
});

it('shows lines of private talk to their own person alone, and finds none of them for others', async () => {
  const [ann, bea] = await talk.channelOf(2);
  await talk.sayTo(bea!, 'The dentist is at nine.', 'Noted.');
  await talk.sayTo(ann!, 'My boats are blue.', 'Nice sails.');
  await talk.sayTo(bea!, 'The lawyer is at ten.', 'Noted.');
  await talk.stores.query(`UPDATE transcript SET withheld = 'private' WHERE person_id = $1`, [bea!.personId]);
  const claimed = async (where: typeof ann) => {
    await talk.accept(where!, `now of ${where!.personId}`);
    return talk.claim(where!);
  };
  const [ofAnn, ofBea] = [await claimed(ann), await claimed(bea)];
  const boats = ['Ann: My boats are blue.', 'Mira: Nice sails.'];
  for (const found of ['boats', 'sails']) expect(await search(ofAnn, found)).toEqual(boats);
  expect(await search(ofAnn, 'dentist lawyer')).toEqual(['Nothing like that was said here.']);
  expect(await search(ofBea, 'boats')).toEqual(['Mira: Noted.', ...boats]);
  expect(await search(ofBea, 'sails')).toEqual([...boats, 'Ann: The lawyer is at ten.']);
});

it('finds a short word, and tells of a long line the part that has it', async () => {
  const where = await talk.place();
  await talk.sayTo(where, `A long day. ${'We went on and on. '.repeat(60)}Then the dog came.`, 'How nice.');
  await talk.sayTo(where, 'Dogma is a hard word.', 'It is.');
  await talk.accept(where, 'now');
  const told = await search(await talk.claim(where), 'the dog');
  expect(told).toEqual([
    expect.stringMatching(/^Ann: … .*We went on and on\. Then the dog came\.$/),
    'Mira: How nice.',
  ]);
});

async function search(claim: Claim, query: string): Promise<string[]> {
  const tool = searchConversation(talk, claim, { companionName: 'Mira', timeZone: null }, []);
  const told = await tool.call({ query }, { key: 'k', signal: AbortSignal.timeout(10_000) });
  return told
    .replaceAll(/\[[-\d]+\] /g, '')
    .split('\n')
    .filter(Boolean);
}
