import { gatewayContract } from '@kith/contracts';
import { identityOf } from '../../events/identity-of.js';
import type { Command } from '../command.js';

/** Drops what this person said here and was not answered yet. */
export const stop: Command = {
  name: 'stop',
  description: 'Never mind: no answer to what you said here',
  run: async ({ messenger, companionId }, { user, channelId, guildId }) => {
    const { stopped } = await messenger.ask(gatewayContract.stop, {
      from: identityOf(user.id, user.displayName),
      place: { door: 'discord', externalId: channelId, kind: guildId === null ? 'direct' : 'channel' },
      companionId,
    });
    // A finished reply is not stopped: it is sent even if Discord does not take it at once.
    const content =
      stopped === 0
        ? 'There is nothing to stop. A reply that is written already still comes.'
        : 'Stopped: what you said here gets no answer.';
    return { content };
  },
};
