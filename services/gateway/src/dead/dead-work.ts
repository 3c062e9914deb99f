import {
  AppError,
  type DeadAction,
  type DeadItem,
  JOB_CONTRACTS,
  type JobContract,
  TurnOrigin,
  type TurnOutcome,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import type { DeadLetter, FailedJob, Messenger } from '@kith/messaging';
import type { z } from 'zod';
import { FOLLOW_UPS } from '../turn/follow-ups.js';
import { followUpsOf } from '../turn/plan-follow-ups.js';

/** Where events and requests stand in a path; a job stands under its pattern. */
const LETTERS = 'letters';
/** Whoever has more of them has one cause, which the oldest show. */
const MOST_LETTERS = 500;

type Action = z.infer<typeof DeadAction>;

/** What was given up by any service: events and requests that nobody could handle, jobs out of tries. */
export class DeadWork {
  constructor(
    private readonly messenger: Messenger,
    private readonly database: Database,
  ) {}

  /** Oldest first. */
  async list(): Promise<DeadItem[]> {
    const letters = await this.messenger.listDeadLetters({ limit: MOST_LETTERS });
    const jobs = await Promise.all(JOB_CONTRACTS.map((job) => this.messenger.listFailedJobs(job)));
    return [...letters.map(fromLetter), ...jobs.flat().map(fromJob)].toSorted((one, other) =>
      one.at.localeCompare(other.at),
    );
  }

  /**
   * Has one tried again, or lets go of it.
   * @param what `letters`, or a job's pattern
   * @throws AppError `not_found`; `conflict` for what can't be replayed, or whose turn is not done otherwise
   */
  async act(what: string, id: string, action: Action): Promise<void> {
    if (what === LETTERS) return this.#actOnLetter(id, action);
    const job = JOB_CONTRACTS.find(({ pattern }) => pattern === what);
    if (!job) throw new AppError('not_found', `there is no job ${what}`);
    if (action === 'replay') return this.messenger.retryFailedJob(job, id);
    await this.#letTurnsGo(job, id);
    await this.messenger.dismissFailedJob(job, id);
  }

  async #actOnLetter(id: string, action: Action): Promise<void> {
    const [letter] = await this.messenger.listDeadLetters({ ids: [id] });
    if (!letter) throw new AppError('not_found', `there is no dead letter ${id}`);
    if (action === 'dismiss') return void (await this.messenger.dismissDeadLetters({ ids: [id] }));
    if (letter.kind === 'request')
      throw new AppError('conflict', `${id} is a request: nobody waits for its answer any more`);
    await this.messenger.replayDeadLetters({ ids: [id] });
  }

  /** The sweeper would order a turn's follow-up again: the turn counts as done, where nothing else of it is open. */
  async #letTurnsGo(job: JobContract, id: string): Promise<void> {
    const its = Object.values(FOLLOW_UPS).find((followUp) => followUp.job.pattern === job.pattern);
    if (!its) return;
    const failed = (await this.messenger.listFailedJobs(job)).find((one) => one.id === id);
    if (!failed) throw new AppError('not_found', `${job.pattern} has no failed job ${id}`);
    const { turnIds } = its.job.payload.parse(failed.payload);
    const turns = await this.database.asSystem((tx) =>
      tx.turn.findMany({
        where: { id: { in: turnIds }, followedUpAt: null },
        select: { id: true, origin: true, outcome: true },
      }),
    );
    for (const turn of turns) {
      const kind = { origin: TurnOrigin.parse(turn.origin), outcome: turn.outcome as TurnOutcome };
      const asked = followUpsOf(kind).map((followUp) =>
        this.messenger.ask(FOLLOW_UPS[followUp].unfinished, { turnIds: [turn.id] }),
      );
      const isOpen = (await Promise.all(asked)).some(
        ({ unfinished, dead }) => unfinished.length > 0 && dead.length === 0,
      );
      if (isOpen)
        throw new AppError('conflict', `turn ${turn.id} is not done otherwise: try again in a minute`);
    }
    await this.database.asSystem(
      (tx) => tx.$executeRaw`
        UPDATE turns SET followed_up_at = now()
        WHERE turn_id = ANY (${turns.map((turn) => turn.id)}::uuid[])`,
    );
  }
}

function fromLetter({ id, kind, pattern, service, deliveries: tries, at, error }: DeadLetter): DeadItem {
  const actions: Action[] = kind === 'event' ? ['replay', 'dismiss'] : ['dismiss'];
  return { id: `${LETTERS}/${id}`, kind, pattern, service, tries, at, error, actions };
}

function fromJob({ id, pattern, attempts: tries, failedAt: at, reason: error }: FailedJob): DeadItem {
  const service = pattern.split('.')[0]!;
  return {
    id: `${pattern}/${id}`,
    ...{ kind: 'job', pattern, service, tries, at, error },
    actions: ['replay', 'dismiss'],
  };
}
