import { outreachContract, outreachRoutes } from '@kith/contracts';
import { requirePerson } from '../people/key-rows.js';
import { serveRoutes } from './serve-routes.js';

/** Serves what companions start: what a person allows, why they were written to, and what an operator forbids. */
export const OutreachController = serveRoutes(outreachRoutes, ({ database, messenger }) => ({
  show: ({ caller: { personId } }) => messenger.ask(outreachContract.settings, { personId }),
  change: ({ caller: { personId }, body: change }) =>
    messenger.ask(outreachContract.change, { personId, change }),
  attempts: ({ caller: { personId }, query }) =>
    messenger.ask(outreachContract.attempts, { personId, ...query }),
  channels: () => messenger.ask(outreachContract.channelModes, {}),
  changeChannel: ({ params: { channel: channelId }, body: { mode } }) =>
    messenger.ask(outreachContract.setChannelMode, { channelId, mode }),
  restrict: async ({ params: { id: personId }, body: change }) => {
    await database.read({ personId }, (reader) => requirePerson(reader, personId));
    return messenger.ask(outreachContract.restrict, { personId, change });
  },
}));
