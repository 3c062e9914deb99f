import {
  gatewayContract,
  healthContract,
  memoryContract,
  outreachContract,
  personalityContract,
  SERVICES,
} from '@kith/contracts';
import { orNull } from '@kith/messaging';
import type { Command } from '../command.js';
import { describeStatus } from './companion-words.js';

/** Asks all parts at once. If some do not answer, the status names them and shows the rest. */
export const status: Command = {
  name: 'status',
  description: 'Is everything running, and what is kept about you?',
  run: async ({ messenger, companionId, personId, connection }) => {
    const [companion, memories, outreach, models, services] = await Promise.all([
      orNull(messenger.ask(personalityContract.companion, { companionId })),
      orNull(messenger.ask(memoryContract.stats, { personId })),
      orNull(messenger.ask(outreachContract.settings, { personId })),
      orNull(messenger.ask(gatewayContract.models, {})),
      Promise.all(
        SERVICES.map(async (name) => ({
          name,
          health: await orNull(messenger.ask(healthContract(name), {})),
        })),
      ),
    ]);
    const content = describeStatus({
      companion,
      connection,
      services,
      memories,
      outreach: outreach?.settings ?? null,
      models: models?.chat ?? null,
    });
    return { content };
  },
};
