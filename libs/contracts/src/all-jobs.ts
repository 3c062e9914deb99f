import type { JobContract } from './define.js';
import { discordContract } from './discord.contract.js';
import { gatewayContract } from './gateway.contract.js';
import { jobsContract } from './jobs.contract.js';
import { memoryContract } from './memory.contract.js';
import { outreachContract } from './outreach.contract.js';
import { personalityContract } from './personality.contract.js';

/** Every job of the suite, each with a queue of its own: for who looks after all of them. */
export const JOB_CONTRACTS: readonly JobContract[] = [
  ...[discordContract, gatewayContract, jobsContract, memoryContract, outreachContract, personalityContract],
]
  .flatMap((contracts) => Object.values<JobContract | { kind: 'request' | 'event' }>(contracts))
  .filter((contract) => contract.kind === 'job');
