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
