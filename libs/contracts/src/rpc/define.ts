import { z } from 'zod';

/**
 * A question one service answers for another. Declared once: the asker and the answerer both read
 * pattern, schemas and timeout from here, so neither can drift.
 */
export interface RequestContract<
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly kind: 'request';
  /** `<owning service>.<verb>`; one service, and only one, answers it. */
  readonly pattern: string;
  readonly request: Request;
  readonly response: Response;
  /** Time the asker waits. Past it the answer is of no use and the work is skipped. */
  readonly timeoutMs: number;
}

/** A past fact that any number of services may hear, each once. */
export interface EventContract<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  readonly pattern: string;
  readonly payload: Payload;
  /** News of the moment: within one process it is delivered without being kept. */
  readonly mayBeLost: boolean;
}

/** An order that is carried out at least once, with retries, by the one service that owns it. */
export interface JobContract<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'job';
  /** `<owning service>.<verb>`; also the queue's name. */
  readonly pattern: string;
  readonly payload: Payload;
  /** Same payload, same id: a job that is queued twice is done once. Never contains `:` (BullMQ). */
  readonly idOf: (payload: z.output<Payload>) => string;
  /**
   * Splits a payload into parts that can be done separately. A job whose process died is split into jobs of these, so
   * that the part that kills processes is found, and the others are done.
   */
  readonly partsOf?: ((payload: z.output<Payload>) => readonly z.output<Payload>[]) | undefined;
  /**
   * The job's own code keeps count of its tries, in the database and before each of them. That covers the death of a
   * process, so such a death is no reason to run jobs one at a time.
   */
  readonly countsItself: boolean;
  /** Tries before the job counts as dead. */
  readonly attempts: number;
  /** Wait before the second try; doubles with each further one. */
  readonly backoffMs: number;
  /** Jobs of one replica at a time. */
  readonly concurrency: number;
}

export type RequestInput<C extends RequestContract> = z.input<C['request']>;
export type RequestOutput<C extends RequestContract> = z.output<C['request']>;
export type ResponseInput<C extends RequestContract> = z.input<C['response']>;
export type ResponseOutput<C extends RequestContract> = z.output<C['response']>;
export type PayloadInput<C extends EventContract | JobContract> = z.input<C['payload']>;
export type PayloadOutput<C extends EventContract | JobContract> = z.output<C['payload']>;

/** Answer that tells nothing, whatever its handler returns. */
export const Nothing = z.preprocess(() => ({}), z.object({}));

/** Declares a request: its question, its answer, and how long the asker waits, 3 s unless stated. */
export function defineRequest<Request extends z.ZodType, Response extends z.ZodType>(
  pattern: string,
  contract: { request: Request; response: Response; timeoutMs?: number },
): RequestContract<Request, Response> {
  return { kind: 'request', pattern, timeoutMs: 3_000, ...contract };
}

/** Declares an event, named as a past fact. */
export function defineEvent<Payload extends z.ZodType>(
  pattern: string,
  payload: Payload,
  { mayBeLost = false }: { mayBeLost?: boolean } = {},
): EventContract<Payload> {
  return { kind: 'event', pattern, payload, mayBeLost };
}

/** Declares a job. Unless stated: 5 tries, 1 s doubling, 4 at a time. */
export function defineJob<Payload extends z.ZodType>(
  pattern: string,
  contract: {
    payload: Payload;
    idOf: (payload: z.output<Payload>) => string;
    partsOf?: (payload: z.output<Payload>) => readonly z.output<Payload>[];
    countsItself?: boolean;
    attempts?: number;
    backoffMs?: number;
    concurrency?: number;
  },
): JobContract<Payload> {
  const defaults = { attempts: 5, backoffMs: 1_000, concurrency: 4, countsItself: false };
  return { kind: 'job', pattern, ...defaults, ...contract };
}
