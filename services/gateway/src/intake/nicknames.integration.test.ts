import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Speaker } from '../conversations/conversations.js';
import { readTurns } from '../conversations/read-turns.js';
import { ErasureRecords } from '../erasure/erasure-records.js';
import { releaseLease } from '../inbox/lease.js';
import { reviseMessage } from '../inbox/revise-message.js';
import { answered, marks, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { testingIntake } from '../e2e/testing-intake.js';

const talk = withTalk();

/** Makes somebody who is Ana, “Ana Lopez (HR)” in server A and “nightowl” in server B, and speaks in both. */
function ana() {
  const subject = randomUUID();
  const say = async (channel: string, nickname?: string): Promise<Speaker> => {
    const { personId, conversationId } = await testingIntake(talk.database).message({
      from: { door: 'discord', subject, displayName: 'Ana' },
      messageId: randomUUID(),
      text: 'hello',
      place: { door: 'discord', externalId: channel, kind: 'channel' },
      within: { server: `of ${channel}`, nickname },
      sentAt: new Date().toISOString(),
      answerable: 'by-reply',
    });
    return { personId, conversationId };
  };
  const [a, b] = [randomUUID(), randomUUID()];
  return {
    b,
    inA: () => say(a, 'Ana Lopez (HR)'),
    inB: (name: string | undefined = 'nightowl') => say(b, name),
  };
}

/** Answers what waits of a speaker. */
async function answer(speaker: Speaker): Promise<string> {
  const claim = await talk.claim(speaker);
  const turn = { ...answered(), personName: claim.personName };
  await commitTurn(talk.database, claim, turn, false);
  return turn.turnId;
}

/** Every name that is kept with a speaker's messages. */
const nicknamesOf = ({ personId }: Speaker) =>
  talk.stores.query('SELECT nickname FROM inbox WHERE person_id = $1 AND nickname IS NOT NULL', [personId]);

describe('the name that a server calls somebody', () => {
  it('is that of their turns there alone, whatever they said elsewhere since', async () => {
    const { inA, inB } = ana();
    const there = await inB();
    const elsewhere = await inA();
    const first = await talk.claim(there);
    expect(first.personName).toBe('nightowl');
    // Tried again, after more was said elsewhere.
    await releaseLease(talk.database, first, 'failed');
    await inA();
    expect((await talk.claim(there)).personName).toBe('nightowl');
    expect((await talk.claim(elsewhere)).personName).toBe('Ana Lopez (HR)');
  });

  it('is told at once where a message is claimed with its acceptance, and not with the next one', async () => {
    const where = await talk.place();
    const accept = (nickname?: string) => talk.say(where, { nickname, target: null }, true);
    const { claim } = await accept('nightowl');
    expect(claim!.personName).toBe('nightowl');
    await commitTurn(talk.database, claim!, answered(), false);
    expect((await accept()).claim!.personName).toBe('Ann');
  });

  it('is told by no turn that the companion begins somewhere else', async () => {
    const { b, inA, inB } = ana();
    const there = await inB();
    await answer(there);
    await answer(await inA());
    const intake = testingIntake(talk.database, 'Her exam was today.');
    const order = { personId: there.personId, companionId: 'mira' };
    await intake.reachOut({ ...order, attemptId: randomUUID(), channelId: b });
    const claim = await talk.claim(there);
    expect([claim.burst[0]!.origin, claim.personName]).toEqual(['outreach', 'Ana']);
    const people = await talk.stores.query('SELECT display_name FROM people WHERE person_id = $1', [
      there.personId,
    ]);
    expect(people).toEqual([{ display_name: 'Ana' }]);
  });

  it('is the newest of a burst, and of a message that was deleted none', async () => {
    const { inB } = ana();
    const there = await inB();
    await inB('owl');
    const newest = await talk.claim(there);
    expect(newest.personName).toBe('owl');
    await releaseLease(talk.database, newest, 'interrupted');
    const { externalId: messageId } = newest.burst[1]!;
    await reviseMessage(talk.database, { door: 'discord', messageId, text: null, at: new Date() });
    expect((await talk.claim(there)).personName).toBe('nightowl');
  });

  it('is read of a turn as that was told it', async () => {
    const { inA, inB } = ana();
    const turnId = await answer(await inB());
    const elsewhere = await answer(await inA());
    const unnamed = await answer(await inB(''));
    const read = await readTurns(talk.database, [turnId, elsewhere, unnamed]);
    expect(read.map(({ displayName }) => displayName)).toEqual(['nightowl', 'Ana Lopez (HR)', 'Ana']);
  });

  it('is kept with a message until its outcome, its deletion, or its person’s erasure', async () => {
    const ends: ((there: Speaker, messageId: string) => Promise<unknown>)[] = [
      (there) => answer(there),
      (_, messageId) =>
        reviseMessage(talk.database, { door: 'discord', messageId, text: null, at: new Date() }),
      ({ personId }) => new ErasureRecords(talk.database, marks).begin(personId, 'person'),
    ];
    for (const end of ends) {
      const there = await ana().inB();
      expect(await nicknamesOf(there)).toHaveLength(1);
      const [row] = await talk.stores.query<{ id: string }>(
        'SELECT external_id AS id FROM inbox WHERE person_id = $1',
        [there.personId],
      );
      await end(there, row!.id);
      expect(await nicknamesOf(there)).toEqual([]);
    }
  });
});
