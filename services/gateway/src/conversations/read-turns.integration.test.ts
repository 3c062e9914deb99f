import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { commitTurn } from '../outcome/commit-turn.js';
import { RecentTurns } from '../outcome/recent-turns.js';
import { readExchanges } from './read-exchanges.js';
import { hasChangedLines, readTurns } from './read-turns.js';
import { answered, withTalk } from '../e2e/talk.js';
import { testingIntake } from '../e2e/testing-intake.js';

const talk = withTalk();

describe('what the companion said right before', () => {
  it('is told of a turn when it was meant for whoever began that', async () => {
    const where = await talk.place();
    const speak = async (personId: string, reply: string): Promise<string> => {
      const speaker = { ...where, personId };
      await talk.accept(speaker, randomUUID());
      const turn = { ...answered(), reply };
      await commitTurn(talk.database, await talk.claim(speaker), turn, false);
      return turn.turnId;
    };
    const { personId: other } = await talk.place();
    const first = await speak(where.personId, 'Do you like jazz?');
    const second = await speak(where.personId, 'Nice.');
    const third = await speak(other, 'And you?');
    const exchanges = await readExchanges(talk.database, [first, second, third]);
    const of = (id: string) => exchanges.find(({ turnId }) => turnId === id);
    expect(of(second)).toEqual({
      turnId: second,
      reply: 'Nice.',
      recalled: [],
      before: { text: 'Do you like jazz?', at: expect.any(String) },
    });
    expect([of(first), of(third)].map((exchange) => exchange?.before)).toEqual([null, null]);
  });

  it.each(['private', 'undelivered', 'left'])('is told to no other service while it is %s', async (why) => {
    const where = await talk.place();
    const asked = await talk.sayTo(where, 'hello', 'Do you like jazz?');
    const { turnId } = await talk.sayTo(where, 'yes', 'Nice.');
    const withhold = `UPDATE transcript SET withheld = $2 WHERE turn_id = $1`;
    await talk.stores.query(withhold, [asked.turnId, why]);
    const exchanges = await readExchanges(talk.database, [asked.turnId, turnId]);
    expect(exchanges.map(({ before }) => before)).toEqual([null, null]);
    expect(exchanges.flatMap(({ reply }) => reply ?? [])).toEqual(['Nice.']);
    expect((await readTurns(talk.database, [asked.turnId]))[0]?.messages).toEqual([]);
  });
});

it('names the attempt that an outreach carried out, and none of a reply', async () => {
  const where = await talk.place();
  const attemptId = randomUUID();
  const intake = testingIntake(talk.database, 'Her exam was today.');
  await intake.reachOut({ personId: where.personId, companionId: 'mira', attemptId });
  const claim = await talk.claim(where);
  const outreach = answered();
  await commitTurn(talk.database, claim, outreach, false);
  const recent = new RecentTurns();
  recent.add(claim, outreach);
  const { turnId } = await talk.sayTo(where, 'hello', 'hi');
  // A turn from before an outreach had one of its own may have carried out a second one.
  await intake.reachOut({ personId: where.personId, companionId: 'mira', attemptId: randomUUID() });
  await talk.stores.query(`UPDATE inbox SET turn_id = $1 WHERE person_id = $2 AND origin = 'outreach'`, [
    outreach.turnId,
    where.personId,
  ]);
  const read = await readTurns(talk.database, [outreach.turnId, turnId]);
  expect([...read, recent.get(outreach.turnId)]).toMatchObject([
    { origin: 'outreach', attemptId },
    { origin: 'message', attemptId: null },
    { origin: 'outreach', attemptId },
  ]);
});

describe('lines of turns', () => {
  it.each([
    ['withheld', "UPDATE transcript SET withheld = 'deleted' WHERE role = 'person' AND turn_id ="],
    ['edited', "UPDATE transcript SET revision = 1 WHERE role = 'person' AND turn_id ="],
    ['deleted', "DELETE FROM transcript WHERE role = 'person' AND turn_id ="],
    ['deleted with their channel', 'DELETE FROM transcript WHERE turn_id ='],
  ])('have changed once one is %s', async (_, change) => {
    const speaker = await talk.place();
    await talk.accept(speaker, randomUUID());
    const turn = { ...answered(), reply: 'Nice.' };
    await commitTurn(talk.database, await talk.claim(speaker), turn, false);
    const silent = { turnId: randomUUID(), messages: [] };
    const told = [...(await readTurns(talk.database, [turn.turnId])), silent];
    expect(await hasChangedLines(talk.database, told)).toBe(false);
    await talk.stores.query(`${change} $1`, [turn.turnId]);
    expect(await hasChangedLines(talk.database, told)).toBe(true);
  });
});
