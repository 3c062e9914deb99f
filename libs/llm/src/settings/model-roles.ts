import { createModelRole, type ModelRole } from '../chain/model-role.js';
import { rehearsalProvider } from '../providers/rehearsal.js';
import { buildChain } from './build-chain.js';
import { ModelSettings } from './model-settings.js';

export interface ModelRoles {
  /** Speaks with people. */
  chat: ModelRole;
  /** Small jobs such as appraisal; null when no model is set up, and callers go by rules. */
  fast: ModelRole | null;
}

/**
 * The roles that the settings describe. With no chat model at all the rehearsal speaks; it never stands in for
 * models that fail, unless `CHAT_MODELS` lists it. Throws one error that names every wrong setting.
 */
export function createModelRoles(settings: ModelSettings): ModelRoles {
  const parsed = ModelSettings.parse(settings);
  const chat = buildChain('chat', parsed);
  const fast = buildChain('fast', parsed);
  const problems = [...chat.problems, ...fast.problems];
  if (problems.length > 0) throw new Error(`the model settings can't be used:\n  ${problems.join('\n  ')}`);
  const rehearsal = { provider: rehearsalProvider(), model: 'rehearsal' };
  return {
    chat: createModelRole('chat', chat.chain.length > 0 ? chat.chain : [rehearsal], parsed),
    fast: fast.chain.length > 0 ? createModelRole('fast', fast.chain, parsed) : null,
  };
}
