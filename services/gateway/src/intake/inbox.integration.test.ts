import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { withTalk } from '../e2e/talk.js';
import { Inbox } from './inbox.js';

const talk = withTalk();

it('leaves nothing asked ahead for a message that could not be accepted', async () => {
  const where = await talk.place();
  await talk.stores.query('DELETE FROM conversations WHERE conversation_id = $1', [where.conversationId]);
  const ahead: string[] = [];
  const inbox = new Inbox(
    talk.turnStores,
    {
      reserve: () => ({ start: () => undefined, release: () => ahead.push('released') }),
      dispatch: () => Promise.resolve(),
    },
    { begin: () => ahead.push('begun'), drop: () => ahead.push('dropped') },
    undefined as never,
    undefined as never,
  );
  const message = {
    ...where,
    door: 'http' as const,
    externalId: randomUUID(),
    target: null,
    sentAt: new Date(),
  };
  await expect(inbox.accept({ ...message, origin: 'message', text: 'hello' }, 0)).rejects.toThrow('deleted');
  expect(ahead).toEqual(['begun', 'dropped', 'released']);
});

it.each([
  ['an edit', 'hello again'],
  ['a deletion', null],
])(
  '%s reaches a message where it was answered, too, while another companion has yet to answer it',
  async (_, text) => {
    const said = await talk.place();
    const { turnId, messageId } = await talk.sayTo(said, 'hello Zephyrine', 'hi');
    const waiting = await talk.placeOf(said.personId);
    await talk.accept(waiting, messageId);
    const followed: string[] = [];
    const interrupted: object[] = [];
    const inbox = new Inbox(
      talk.turnStores,
      undefined as never,
      undefined as never,
      { interrupt: (speaker: object) => void interrupted.push(speaker) } as never,
      { follow: async (orderId) => void followed.push(orderId) },
    );
    const change = { door: 'discord' as const, messageId, text, at: new Date() };
    expect(await inbox.revise(change)).toBe(true);
    const lines = await talk.stores.query(
      `SELECT text FROM transcript WHERE turn_id = $1 AND role = 'person'
     UNION ALL SELECT text FROM inbox WHERE conversation_id = $2`,
      [turnId, waiting.conversationId],
    );
    expect(lines).toEqual([{ text: text ?? '' }, { text: text ?? '' }]);
    expect(followed).toHaveLength(1);
    expect(interrupted).toMatchObject([{ conversationId: waiting.conversationId }]);
  },
);
