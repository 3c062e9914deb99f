import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { Conversations } from '../conversations/conversations.js';
import { requireKnown } from './require-known.js';
import { withTalk } from '../e2e/talk.js';

const talk = withTalk();

it('knows a retired companion that the person met in a channel alone', async () => {
  const require = async () => {
    throw new AppError('not_found', 'there is no companion "pip"');
  };
  const parts = { database: talk.database, companions: { require } as never };
  const [{ personId }, other] = await Promise.all([talk.place(), talk.place()]);
  const conversationId = await new Conversations(talk.database).idOf({
    companionId: 'pip',
    door: 'discord',
    kind: 'channel',
    externalId: 'garden',
    personId: null,
  });
  await talk.sayTo({ conversationId, personId }, 'hello', 'hi');
  await requireKnown(parts, personId, 'pip');
  await expect(requireKnown(parts, other.personId, 'pip')).rejects.toMatchObject({ code: 'not_found' });
});
