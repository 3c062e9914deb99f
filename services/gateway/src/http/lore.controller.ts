import { loreContract, loreRoutes } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

/** Serves operators what a companion knows of its world. */
export const LoreController = serveRoutes(loreRoutes, ({ messenger, companions, recallRoom }) => ({
  list: async ({ params: { id } }) =>
    messenger.ask(loreContract.list, { companionId: await companions.require(id, 'id') }),
  put: async ({ params: { id }, body: entry }) =>
    messenger.ask(loreContract.put, { companionId: await companions.require(id, 'id'), entry }),
  import: async ({ params: { id }, body: { book } }) =>
    messenger.ask(loreContract.import, { companionId: await companions.require(id, 'id'), book }),
  /** Finds the lore that a turn would be told. */
  match: async ({ params, body: { text } }) => {
    const companionId = await companions.require(params.id, 'id');
    const maxTokens = recallRoom().loreTokens;
    return messenger.ask(loreContract.match, { companionId, texts: [text], maxTokens });
  },
  remove: async ({ params: { id, entry } }) =>
    messenger.ask(loreContract.remove, { companionId: await companions.require(id, 'id'), id: entry }),
}));
