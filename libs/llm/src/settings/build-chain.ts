import type { ModelRoleName } from '@kith/contracts';
import type { ChainSlot } from '../chain/model-role.js';
import { CATALOGUE, type CatalogueEntry } from './catalogue.js';
import { chainAsListed, type BuiltChain } from './chain-as-listed.js';
import type { ModelChoices } from './model-choices.js';
import type { ModelSettings } from './model-settings.js';

/** The chain that the settings ask for: as listed, or else by the keys that are set. May be empty. */
export function buildChain(role: ModelRoleName, settings: ModelSettings, choices: ModelChoices): BuiltChain {
  const listed = (role === 'chat' ? settings.chatModels : settings.fastModels)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return listed.length > 0 ? chainAsListed(role, listed, settings) : chainByKeys(role, settings, choices);
}

/** In the catalogue's order; for the fast role Groq goes first, whose answers come soonest. */
function chainByKeys(role: ModelRoleName, settings: ModelSettings, choices: ModelChoices): BuiltChain {
  const isFirst = ({ name }: CatalogueEntry) => role === 'fast' && name === 'groq';
  const order = [...CATALOGUE.filter(isFirst), ...CATALOGUE.filter((entry) => !isFirst(entry))];
  const chain = order.flatMap(({ defaultsOf, open }): ChainSlot[] => {
    const provider = defaultsOf && open(settings);
    return provider ? [{ provider, modelNow: () => choices.modelOf(defaultsOf, role), isDefault: true }] : [];
  });
  return { chain, problems: role === 'chat' ? unnamedModels(settings) : [] };
}

/** Finds a host that is set up, but of which no model can be chosen. */
function unnamedModels({ compatible: { baseUrl, hosts = {} } }: ModelSettings): string[] {
  const [host] = Object.keys(hosts);
  const [setting, name] = baseUrl ? ['COMPATIBLE_BASE_URL', 'compatible'] : ['COMPATIBLE_HOSTS', host];
  return name ? [`CHAT_MODELS: ${setting} is set, so name its model, as ${name}:model`] : [];
}
