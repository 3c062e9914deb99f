import { loreContract, loreRoutes } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

/** Serves operators what a companion knows of its world. */
export const LoreController = serveRoutes(loreRoutes, ({ messenger, companions, recallRoom }) => ({
  list: async ({ params: { id } }) =>
    messenger.ask(loreContract.lore, { companionId: await companions.require(id, 'id') }),
  put: async ({ params: { id }, body: entry }) =>
    messenger.ask(loreContract.putLore, { companionId: await companions.require(id, 'id'), entry }),
  import: async ({ params: { id }, body: { book } }) =>
    messenger.ask(loreContract.importLore, { companionId: await companions.require(id, 'id'), book }),
  /** Finds the lore that a turn would be told. */
  match: async ({ params, body: { text } }) => {
    const companionId = await companions.require(params.id, 'id');
    const maxTokens = recallRoom().loreTokens;
    return messenger.ask(loreContract.matchLore, { companionId, texts: [text], maxTokens });
  },
  remove: async ({ params: { id, entry } }) =>
    messenger.ask(loreContract.removeLore, { companionId: await companions.require(id, 'id'), id: entry }),
}));
