import { addCommand, addJsonCommand } from '../input/add-command.js';
import type { Command } from '@commander-js/extra-typings';
import { JOB_CONTRACTS, type JobContract } from '@kith/contracts';
import type { DeadLetter, FailedJob, Messenger } from '@kith/messaging';
import { CliError } from '../input/cli-error.js';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';
import type { CliConfig } from '../suite/config.js';
import { withRedis } from '../suite/with-redis.js';
import { minuteOf } from '../terminal/value-words.js';

/** An event, a request or a job that was given up. */
interface Dead {
  /** A letter's own id, or `<pattern>/<job id>`. */
  id: string;
  what: string;
  service: string;
  tries: number;
  at: string;
  error: string;
  /** True for events and jobs; nobody waits for the answer to a request any more. */
  canReplay: boolean;
}

/** Adds the commands for what was given up: events and requests no service could handle, jobs out of tries. */
export function addDeadLetterCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const commands = addCommand(
    program,
    'dead',
    'list and replay events, requests and jobs that were given up',
  );
  addJsonCommand(commands, 'list', 'list what was given up, oldest first').action(async ({ json }) => {
    const dead = await withDeadStore(context.config, ({ list }) => list());
    if (json) return terminal.json(dead);
    if (dead.length === 0) return terminal.note('nothing was given up');
    terminal.table(dead, [
      { header: 'id', value: ({ id }) => id },
      { header: 'what', value: ({ what }) => what },
      { header: 'service', value: ({ service }) => service },
      { header: 'tries', value: ({ tries }) => String(tries), align: 'right' },
      { header: 'at', value: ({ at }) => minuteOf(at) },
      { header: 'error', value: ({ error }) => error, flexible: true },
    ]);
  });
  addCommand(commands, 'replay [id...]', 'give events and jobs back to their service')
    .option('--all', 'everything that was given up')
    .action(async (ids, { all }) => {
      if (ids.length === 0 && !all)
        throw new CliError('name what to replay (kith dead list shows ids), or say --all', 2);
      const count = await withDeadStore(context.config, async ({ list, replay }) => {
        const dead = await list();
        const unknown = ids.filter((id) => !dead.some((one) => one.id === id));
        if (unknown.length > 0) {
          const problem = `nothing that was given up has the id ${unknown.join(', ')}`;
          throw new CliError(`${problem}: kith dead list shows what there is`);
        }
        const chosen = dead.filter(({ id, canReplay }) => (all ? canReplay : ids.includes(id)));
        const request = chosen.find(({ canReplay }) => !canReplay);
        if (request) throw new CliError(`${request.id} is a request: nobody waits for its answer any more`);
        await tryEach(terminal, chosen, ({ id }) => id, replay);
        return chosen.length;
      });
      terminal.line(`replayed ${count}; what fails again comes back to the list`);
    });
}

async function withDeadStore<T>(
  { setting }: CliConfig,
  work: (store: { list: () => Promise<Dead[]>; replay: (dead: Dead) => Promise<void> }) => Promise<T>,
): Promise<T> {
  const redisUrl = setting('REDIS_URL');
  if (!redisUrl) throw new CliError('REDIS_URL is not set: run this where the suite runs, or set it');
  const keyPrefix = setting('REDIS_KEY_PREFIX') ?? 'kith:';
  try {
    return await withRedis(redisUrl, async (redis) => {
      // Loaded here: no other command needs it, and it takes half a second.
      const messaging = await import('@kith/messaging');
      const messenger = new messaging.Messenger({ redisUrl, keyPrefix, service: 'cli', logger: SILENT });
      try {
        return await work({
          list: async () => {
            const letters = await messaging.listDeadLetters(redis, keyPrefix);
            const jobs = await Promise.all(JOB_CONTRACTS.map((job) => failedJobs(messenger, job)));
            return [...letters.map(fromLetter), ...jobs.flat()].sort((a, b) => a.at.localeCompare(b.at));
          },
          replay: async ({ id }) => {
            const [pattern, ...jobId] = id.split('/');
            const job = JOB_CONTRACTS.find((one) => one.pattern === pattern);
            try {
              if (job) await messenger.jobs.retryFailed(job, jobId.join('/'));
              else await messaging.replayDeadLetter(redis, id, keyPrefix);
            } catch (cause) {
              throw new CliError((cause as Error).message, 1, { cause });
            }
          },
        });
      } catch (cause) {
        if (cause instanceof CliError) throw cause;
        const problem = `Redis was reached, but what was given up can't be read: ${(cause as Error).message}`;
        throw new CliError(problem, 1, { cause });
      } finally {
        await messenger.close();
      }
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    const hint = 'start Kith with ./scripts/up, or check REDIS_URL';
    throw new CliError(`Redis is out of reach (${(error as Error).message}): ${hint}`, 1, { cause: error });
  }
}

/** Reads every failed job of a contract, without what it carries: they may be many. */
async function failedJobs(messenger: Messenger, job: JobContract): Promise<Dead[]> {
  const dead: Dead[] = [];
  for (let page = 0; ; page += 1) {
    const jobs = await messenger.jobs.listFailed(job, page);
    if (jobs.length === 0) return dead;
    dead.push(...jobs.map(fromJob));
  }
}

const silent = () => undefined;
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };

function fromLetter({ id, kind, pattern, service, deliveries, at, error }: DeadLetter): Dead {
  const canReplay = kind === 'event';
  return { id, what: `${kind} ${pattern}`, service, tries: deliveries, at, error, canReplay };
}

function fromJob({ id, pattern, attempts: tries, failedAt: at, reason: error }: FailedJob): Dead {
  const [service = ''] = pattern.split('.');
  return { id: `${pattern}/${id}`, what: `job ${pattern}`, service, tries, at, error, canReplay: true };
}
