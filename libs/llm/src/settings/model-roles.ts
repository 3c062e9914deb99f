import { ModelChain, type ModelRole } from '../chain/model-role.js';
import { ModelCards } from '../budget/model-cards.js';
import { CallHooks } from '../hooks/call-hooks.js';
import { loadHooks } from '../hooks/load-hooks.js';
import { readCardOverrides } from '../budget/model-card.js';
import { buildChain } from './build-chain.js';
import { checkNamedHosts } from './catalogue.js';
import { ModelChoices } from './model-choices.js';
import { ModelSettings } from './model-settings.js';
import { UnusableSettings } from '../errors/unusable-settings.js';

export interface ModelRoles {
  /** Speaks with people. */
  chat: ModelRole;
  /** Small jobs such as appraisal; null when no model is set up, and callers go by rules. */
  fast: ModelRole | null;
  /** Limits and prices of the models. */
  cards: ModelCards;
}

/** Choice of default models, and the listener who is told that one is gone. */
export interface DefaultModels {
  choices: ModelChoices;
  /** Called when a host says that a default model is gone; ends once another was chosen, or none could be. */
  onGone?(label: string): Promise<void>;
}

/**
 * The roles that the settings describe. With no chat model at all the rehearsal speaks; it never stands in for
 * models that fail, unless `CHAT_MODELS` lists it. Throws one error that names every wrong setting.
 */
export function createModelRoles(
  settings: ModelSettings,
  defaults: DefaultModels = { choices: new ModelChoices() },
  hooks = new CallHooks(),
): ModelRoles {
  const { parsed, chat, fast, overrides, problems } = readModelSettings(settings, defaults.choices);
  if (problems.length > 0) throw new UnusableSettings(problems.join('\n'));
  const rehearsal = buildChain('chat', { ...parsed, chatModels: 'rehearsal' }, defaults.choices);
  const cards = new ModelCards(overrides, { ollama: parsed.ollama?.contextTokens });
  const parts = { onGone: defaults.onGone?.bind(defaults), cards, hooks };
  return {
    chat: new ModelChain('chat', (chat.chain.length > 0 ? chat : rehearsal).chain, parsed, parts),
    fast: fast.chain.length > 0 ? new ModelChain('fast', fast.chain, parsed, parts) : null,
    cards,
  };
}

/** Loads the hooks that the settings name. Its error tells of every wrong setting of the models as well. */
export function loadModelHooks(
  settings: ModelSettings & { hooksDirectory: string | undefined },
  logger: Parameters<typeof loadHooks>[1],
) {
  return loadHooks(settings.hooksDirectory, logger, readModelSettings(settings, new ModelChoices()).problems);
}

function readModelSettings(settings: ModelSettings, choices: ModelChoices) {
  const parsed = ModelSettings.parse(settings);
  const chat = buildChain('chat', parsed, choices);
  const fast = buildChain('fast', parsed, choices);
  const { overrides, problems: wrong } = readCardOverrides(parsed.cards ?? '');
  const problems = [...checkNamedHosts(parsed), ...chat.problems, ...fast.problems, ...wrong];
  return { parsed, chat, fast, overrides, problems };
}
