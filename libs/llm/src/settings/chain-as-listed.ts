import type { ModelRoleName } from '@kith/contracts';
import type { ChainSlot } from '../chain/model-role.js';
import { catalogueOf } from './catalogue.js';
import type { ModelSettings } from './model-settings.js';

const SETTING: Record<ModelRoleName, string> = { chat: 'CHAT_MODELS', fast: 'FAST_MODELS' };

/** A chain, and what is wrong with its setting, by the variable's name. */
export interface BuiltChain {
  chain: ChainSlot[];
  problems: string[];
}

/** Builds a chain of items such as `groq:llama3`; those that can't be used become problems. */
export function chainAsListed(
  role: ModelRoleName,
  listed: readonly string[],
  settings: ModelSettings,
): BuiltChain {
  const built: BuiltChain = { chain: [], problems: [] };
  const catalogue = catalogueOf(settings);
  for (const item of listed) {
    // A model's own name may hold colons (`llama3:8b`): only the first one parts.
    const [name = '', ...rest] = item.split(':');
    const entry = catalogue.find((candidate) => candidate.name === name.trim());
    const model = rest.join(':').trim() || (entry?.needs === null ? entry.name : '');
    const provider = entry?.open(settings);
    if (!entry) {
      const known = catalogue.map((candidate) => candidate.name).join(', ');
      built.problems.push(`${SETTING[role]}: "${item}" names no provider; known are ${known}`);
    } else if (!model) {
      built.problems.push(`${SETTING[role]}: "${item}" names no model; write ${entry.name}:model`);
    } else if (!provider) {
      built.problems.push(`${SETTING[role]}: "${item}" needs ${entry.needs}, which is not set`);
    } else {
      built.chain.push({ provider, modelNow: () => model, isDefault: false });
    }
  }
  return built;
}
