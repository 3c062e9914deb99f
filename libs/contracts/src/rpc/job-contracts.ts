import type { JobContract } from './define.js';
import { discordContract } from './discord.contract.js';
import { gatewayContract } from './gateway.contract.js';
import { jobsContract } from './jobs.contract.js';
import { memoryContract } from './memory.contract.js';
import { outreachContract } from './outreach.contract.js';
import { personalityContract } from './personality.contract.js';

/** All jobs of the suite. Each has a queue of its own. */
export const JOB_CONTRACTS: readonly JobContract[] = [
  discordContract,
  gatewayContract,
  jobsContract,
  memoryContract,
  outreachContract,
  personalityContract,
]
  .flatMap((contracts) => Object.values<JobContract | { kind: 'request' | 'event' }>(contracts))
  .filter((contract) => contract.kind === 'job');
