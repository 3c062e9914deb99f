import { gatewayContract } from '@kith/contracts';
import type { Command } from '../command.js';

/** Ends without an answer what this person said here and is not answered yet. */
export const stop: Command = {
  name: 'stop',
  description: 'Never mind: no answer to what you said here',
  run: async ({ messenger, companionId }, { user, channelId, guildId }) => {
    const { stopped } = await messenger.ask(gatewayContract.stop, {
      from: { door: 'discord', subject: user.id, displayName: user.displayName.slice(0, 100) || user.id },
      place: { door: 'discord', externalId: channelId, kind: guildId === null ? 'direct' : 'channel' },
      companionId,
    });
    const content =
      stopped === 0 ? 'There is nothing to stop.' : 'Stopped. Nothing that was on its way will come.';
    return { content };
  },
};
