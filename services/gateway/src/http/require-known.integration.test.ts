import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { Conversations } from '../conversations/conversations.js';
import { MemoriesController } from './memories.controller.js';
import { requireKnown } from './require-known.js';
import { TasksController } from './tasks.controller.js';
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

it.each([
  ['memories', MemoriesController],
  ['tasks', TasksController],
])(
  'refuses to list %s of a companion that there is not, and lists none of one that there is',
  async (_, Controller) => {
    const require = async (id: string) => {
      if (id === 'typo') throw new AppError('not_found', 'there is no companion "typo"');
      return id;
    };
    const ask = async () => ({ memories: [], tasks: [], nextCursor: null, total: 0 });
    const parts = { database: talk.database, companions: { require }, messenger: { ask } };
    const { personId } = await talk.place();
    const list = async (companion?: string) => {
      const controller = new Controller(parts);
      const serve = Reflect.get(controller, 'list') as (...args: unknown[]) => Promise<unknown>;
      const request = { caller: { personId }, params: {}, query: { companion } };
      return serve.call(controller, request, { setHeader: () => undefined });
    };
    await expect(list('typo')).rejects.toMatchObject({ code: 'not_found' });
    for (const companion of ['mira', undefined]) expect(await list(companion)).toBeDefined();
  },
);
