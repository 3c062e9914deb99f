import { loreContract } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { PARTS } from './parts.js';

export const LoreController = handleContract(loreContract, {}, PARTS, ({ lore }) => ({
  list: async (request) => ({ entries: await lore.list(request) }),
  put: (request) => lore.put(request),
  import: (request) => lore.import(request),
  remove: (request) => lore.remove(request),
  match: (request) => lore.match(request),
}));
