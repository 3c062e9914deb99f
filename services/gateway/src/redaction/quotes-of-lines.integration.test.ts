import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NOTHING_MADE, answered, withTalk } from '../e2e/talk.js';
import type { Speaker } from '../conversations/conversations.js';
import { readQuoted } from '../inbox/read-quoted.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { deleteSharedLines } from './delete-shared-lines.js';
import { reviseLine } from './revise-line.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

/** Claims a message that refers to a reply by its id at Discord. */
async function claimQuoting(where: Speaker, platformId: string) {
  await talk.say(where, {
    text: 'What was that?',
    target: null,
    quote: { messageId: platformId, name: null, text: 'It is zebra77.' },
  });
  const claim = await talk.claim(where);
  const quoted = await readQuoted(talk.database, claim);
  const view = {
    epoch: null,
    from: null,
    quoted: quoted.flatMap(({ lineIds }) => lineIds.map(String)),
    quotedElsewhere: quoted.flatMap(({ keys }) => keys),
  };
  return { claim, details: { view } };
}

/** Ann tells Mira her word; Mira tells it Bob, who asked; Bob asks Kai about Mira's reply, and Kai repeats it. */
async function retold() {
  const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const { messageId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
  const asked = await talk.sayAtDiscord(bob, 'What is her word?', 'It is zebra77.');
  const kai = await talk.withAnother(bob);
  const { claim, details } = await claimQuoting(kai, asked.platformId);
  const turn = { ...answered(), reply: 'So it is zebra77!', details };
  await commitTurn(talk.database, claim, turn, false);
  return { ann, kai, messageId, platformId: asked.platformId, turnId: turn.turnId };
}

async function replyIn(turnId: string): Promise<string | undefined> {
  const [line] = await talk.stores.query<{ text: string }>(
    `SELECT text FROM transcript WHERE turn_id = $1 AND role = 'companion'`,
    [turnId],
  );
  return line?.text;
}

async function forget(personId: string, messageId: string, until: Date | null) {
  const orderId = randomUUID();
  await talk.stores.query(
    `INSERT INTO forget_orders (id, person_id, reason, what, undo_until) VALUES ($1, $2, 'forgotten', $3, $4)`,
    [orderId, personId, JSON.stringify({ kind: 'sources', sources: [messageId] }), until],
  );
  const choice = { personId, companionId: null, what: { sources: [messageId] } };
  const { replyTurnIds } = await new TranscriptRedactor(talk.database).forget(
    { orderId, until, keepTalk: false },
    choice,
    { memoryIds: [], sources: [messageId] },
  );
  return { orderId, replyTurnIds };
}

const soon = () => new Date(Date.now() + 60_000);

describe('a reply to a quote of another companion, whose reply repeats what somebody said', () => {
  it('goes when that is deleted', async () => {
    const { messageId, turnId } = await retold();
    await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    expect(await replyIn(turnId)).toBe('');
  });

  it('goes when that is forgotten, is noted with the order, and comes back by an undo', async () => {
    const { ann, messageId, turnId } = await retold();
    const { orderId, replyTurnIds } = await forget(ann.personId, messageId, soon());
    expect(await replyIn(turnId)).toBe('');
    expect(replyTurnIds).toContain(turnId);
    await new TranscriptRedactor(talk.database).undo(ann.personId, orderId);
    expect(await replyIn(turnId)).toBe('So it is zebra77!');
  });

  it('does not come back by an undo once that is deleted at its door', async () => {
    const { ann, messageId, turnId } = await retold();
    const { orderId } = await forget(ann.personId, messageId, soon());
    await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    await new TranscriptRedactor(talk.database).undo(ann.personId, orderId);
    expect(await replyIn(turnId)).toBe('');
  });

  it('does not come back by the undo of an order that sealed it before', async () => {
    const { ann, kai, messageId, turnId } = await retold();
    const [asked] = await talk.stores.query<{ id: string }>(
      `SELECT external_id AS id FROM transcript WHERE turn_id = $1 AND role = 'person'`,
      [turnId],
    );
    const own = await forget(kai.personId, asked!.id, soon());
    await forget(ann.personId, messageId, soon());
    await new TranscriptRedactor(talk.database).undo(kai.personId, own.orderId);
    expect(await replyIn(turnId)).toBe('');
  });

  it('goes when its person is erased', async () => {
    const { ann, turnId } = await retold();
    await deleteSharedLines(talk.database, ann.personId, NOTHING_MADE);
    expect(await replyIn(turnId)).toBe('');
  });

  it('is not told if it is written while its person is erased', async () => {
    const { ann, kai, platformId } = await retold();
    const { claim, details } = await claimQuoting(kai, platformId);
    await deleteSharedLines(talk.database, ann.personId, NOTHING_MADE);
    const turn = { ...answered(), reply: 'Again: zebra77.', details };
    await commitTurn(talk.database, claim, turn, false);
    const told = await talk.stores.query(
      `SELECT 1 FROM transcript WHERE turn_id = $1 AND role = 'companion' AND withheld IS NULL`,
      [turn.turnId],
    );
    expect(told).toEqual([]);
  });

  it('stays where it repeats nothing of it', async () => {
    const { kai, messageId, platformId } = await retold();
    const { claim, details } = await claimQuoting(kai, platformId);
    const turn = { ...answered(), reply: 'Ask her.', details };
    await commitTurn(talk.database, claim, turn, false);
    await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    expect(await replyIn(turn.turnId)).toBe('Ask her.');
  });
});
