import { DISCORD_FAULTS } from './discord-faults.ts';
import type { Fault } from './fault.ts';
import { MODEL_FAULTS } from './model-faults.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { STORE_FAULTS } from './store-faults.ts';

/** Everything that a suite has to get over. */
export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...STORE_FAULTS,
  ...MODEL_FAULTS,
  ...DISCORD_FAULTS,
];
