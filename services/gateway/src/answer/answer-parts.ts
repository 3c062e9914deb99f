import type { Database } from '@kith/database';
import type { HookList, ModelRoles } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import type { DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import type { EpochKeeper } from '../epochs/epoch-keeper.js';
import type { Clocks } from '../people/clocks.js';
import type { SpendMeter } from '../safety/spend-meter.js';
import type { TurnEvents } from '../signals/turn-events.js';
import type { ThoughtCipher } from '../steps/thought-cipher.js';
import type { PermittedTools } from '../tools/permitted-tools.js';
import type { PictureReader } from '../web/picture-reader.js';
import type { ContextPrefetcher } from './context-prefetcher.js';
import type { CompanionStanding } from './decide-gate.js';
import type { ReasoningLimits } from './reasoning-bounds.js';
import type { TokenLimits } from './prompt-budget.js';

export interface AnswerParts extends TokenLimits {
  database: Database;
  messenger: Messenger;
  clocks: Pick<Clocks, 'zoneOf'>;
  roles: ModelRoles;
  events: TurnEvents;
  /** Context that was asked for while messages were being accepted. */
  prefetcher: Pick<ContextPrefetcher, 'take' | 'toldSince' | 'moodWith'>;
  epochs: EpochKeeper;
  spend: SpendMeter;
  states: DegradedStates;
  logger: Logger;
  /** Encrypts what is kept of thoughts and tools. */
  cipher: ThoughtCipher;
  reasoning: ReasoningLimits;
  /** The operator's hooks on turns. */
  hooks: HookList;
  /** Tells whether a companion serves, is paused or is retired. */
  standingOf: (companionId: string) => Promise<CompanionStanding>;
  /** The models may call tools; undefined: if all of them are known to take tools. */
  useTools: boolean | undefined;
  /** Gives a turn its tools. */
  permittedTools: Pick<PermittedTools, 'runnerFor' | 'withdraw' | 'outcomes' | 'changesOf'>;
  /** Looks at the pictures of messages. */
  pictures: Pick<PictureReader, 'read'>;
  /** Hosts that links in replies may lead to. */
  linkHosts: readonly string[];
}

/** Tells whether tools are offered: every model of the chain has to take them, since any of them may answer. */
export function mayUseTools({ useTools, roles }: Pick<AnswerParts, 'useTools' | 'roles'>): boolean {
  if (useTools !== undefined) return useTools;
  const models = roles.chat.models.filter((model) => model !== 'rehearsal');
  return models.length > 0 && models.every((model) => roles.cards.of(model).tools);
}

/** Tells whether pictures are used: if any model of the chain sees. The others are not shown them. */
export function maySee({ chat, cards }: Pick<ModelRoles, 'chat' | 'cards'>): boolean {
  return chat.models.some((model) => cards.of(model).images);
}
