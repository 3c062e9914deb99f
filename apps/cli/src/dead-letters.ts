import {
  discordContract,
  gatewayContract,
  memoryContract,
  outreachContract,
  personalityContract,
  type JobContract,
} from '@kith/contracts';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';

/** An event or a job that was given up. */
interface Dead {
  /** A letter's own id, or `<pattern>/<job id>`. */
  id: string;
  what: string;
  service: string;
  tries: number;
  at: string;
  error: string;
}

const JOBS: JobContract[] = [
  discordContract,
  gatewayContract,
  memoryContract,
  outreachContract,
  personalityContract,
]
  .flatMap((contract) => Object.values(contract))
  .filter((contract) => contract.kind === 'job');

/** Lists what was given up: events no service could handle, jobs out of tries. Oldest first. */
export async function listDead(context: CommandContext, asJson: boolean): Promise<void> {
  const dead = await withRedis(context, ({ list }) => list());
  if (asJson) return context.terminal.json(dead);
  if (dead.length === 0) return context.terminal.note('nothing was given up');
  context.terminal.table(dead, [
    { header: 'id', value: ({ id }) => id },
    { header: 'what', value: ({ what }) => what },
    { header: 'service', value: ({ service }) => service },
    { header: 'tries', value: ({ tries }) => String(tries), align: 'right' },
    { header: 'at', value: ({ at }) => at.slice(0, 16).replace('T', ' ') },
    { header: 'error', value: ({ error }) => error, flexible: true },
  ]);
}

/** Gives what was given up back to its service: these, or with `all` everything. */
export async function replayDead(
  context: CommandContext,
  ids: readonly string[],
  all: boolean,
): Promise<void> {
  if (ids.length === 0 && !all)
    throw new CliError('name what to replay (kith dead list shows ids), or say --all', 2);
  const count = await withRedis(context, async ({ list, replay }) => {
    const dead = await list();
    const unknown = ids.filter((id) => !dead.some((one) => one.id === id));
    if (unknown.length > 0)
      throw new CliError(`there is no ${unknown.join(', ')}: kith dead list shows what there is`);
    const chosen = all ? dead : dead.filter(({ id }) => ids.includes(id));
    for (const one of chosen) await replay(one);
    return chosen.length;
  });
  context.terminal.line(`replayed ${count}; what fails again comes back to the list`);
}

interface DeadStore {
  list(): Promise<Dead[]>;
  replay(dead: Dead): Promise<void>;
}

async function withRedis<T>({ config }: CommandContext, work: (store: DeadStore) => Promise<T>): Promise<T> {
  const redisUrl = config.setting('REDIS_URL');
  if (!redisUrl) throw new CliError('REDIS_URL is not set: run this where .env has it, or set it');
  const keyPrefix = config.setting('REDIS_KEY_PREFIX') ?? 'kith:';
  // Loaded here: no other command needs it, and it takes half a second.
  const { Messenger, listDeadLetters, replayDeadLetters } = await import('@kith/messaging');
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined); // said below
  await redis.connect().catch((cause: Error) => {
    throw new CliError(
      `Redis is out of reach (${cause.message}): start Kith with ./scripts/up, or check REDIS_URL`,
    );
  });
  const silent = () => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const messenger = new Messenger({ redisUrl, keyPrefix, service: 'cli', logger });
  try {
    return await work({
      list: async () => {
        const letters = await listDeadLetters(redis, { keyPrefix });
        const jobs = (await Promise.all(JOBS.map((job) => messenger.listFailedJobs(job)))).flat();
        return [
          ...letters.map(({ id, pattern, service, deliveries, at, error }) => ({
            id,
            what: `event ${pattern}`,
            service,
            tries: deliveries,
            at,
            error,
          })),
          ...jobs.map(({ id, pattern, attempts, failedAt, reason }) => ({
            id: `${pattern}/${id}`,
            what: `job ${pattern}`,
            service: pattern.split('.')[0]!,
            tries: attempts,
            at: failedAt,
            error: reason,
          })),
        ].sort((a, b) => a.at.localeCompare(b.at));
      },
      replay: async ({ id }) => {
        const [pattern, ...jobId] = id.split('/');
        const job = JOBS.find((one) => one.pattern === pattern);
        if (job) await messenger.retryFailedJob(job, jobId.join('/'));
        else await replayDeadLetters(redis, { keyPrefix, ids: [id] });
      },
    });
  } finally {
    await messenger.close();
    await redis.quit().catch(() => redis.disconnect());
  }
}
