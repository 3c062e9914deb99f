import type { Database } from '@kith/database';
import {
  CallHooks,
  type CallPayload,
  createModelRoles,
  type HookList,
  ModelChoices,
  openHosts,
} from '@kith/llm';
import type { Host } from '@kith/service-host';
import type { Config } from './config.js';
import { ModelCatalog } from './models/model-catalog.js';
import { SpendMeter } from './safety/spend-meter.js';
import { UsageRecords } from './safety/usage-records.js';

/** Opens the models that the settings name. Their usage is counted from the first call on. */
export function openModels(config: Config, hooks: HookList, database: Database, host: Host) {
  const { messenger, broadcasts, states, metrics, logger } = host;
  const usage = new UsageRecords(database, { costOf: (...call) => roles.cards.costOf(...call) });
  const spend = new SpendMeter(database, config.spend, states, logger, metrics);
  usage.tell((personId, tokens) => spend.add(personId, tokens));
  // A turn asks before it begins, and goes on to its end.
  const isSpent = ({ role, account: { personId } }: CallPayload) =>
    role === 'fast' && spend.spentAmong(personId === undefined ? [] : [personId]).length > 0;
  const counted = new CallHooks([(call) => usage.note(call)], hooks, isSpent);
  const choices = new ModelChoices();
  const onGone = (label: string): Promise<void> => models.replace(label);
  const roles = createModelRoles(config.models, { choices, onGone }, counted);
  const hosts = openHosts(config.models);
  const models = new ModelCatalog({ database, messenger, broadcasts, logger, hosts, choices, roles });
  return { usage, spend, roles, models };
}
