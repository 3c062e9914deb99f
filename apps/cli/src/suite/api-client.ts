import { setTimeout as sleep } from 'node:timers/promises';
import {
  isWellFormedApiKey,
  RouteClient,
  type CallFailure,
  type CallInput,
  type Problem,
  type Route,
  type RouteAnswer,
  type RouteClientOptions,
  type RouteEvent,
  type RouteInput,
  type StreamRoute,
} from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { Terminal } from '../terminal/terminal.js';

/** No answer, or one that broke off. An accepted message is safe: the same id asks for its reply again. */
export class ConnectionLost extends CliError {}

/** No connection: the request was not sent. */
export class NothingAnswers extends ConnectionLost {}

/** A part of Kith is down that the rest may do without. */
export class PartDown extends CliError {
  constructor(
    message: string,
    /** Receipt of the order, where it is noted and goes on by itself. */
    readonly receipt: string | undefined,
  ) {
    super(message);
  }
}

/** The gateway answered, and does not take the key. */
export class KeyRefused extends CliError {}

/** A companion that is named is not there, or out of service. */
export class NoCompanion extends CliError {}

/** Something is there already, and is not to be replaced. */
export class AlreadyThere extends CliError {}

/** Error for a key that used up this minute's requests; this one was not begun. */
class TooMany extends CliError {
  constructor(
    message: string,
    readonly retryAfterS: number,
  ) {
    super(message);
  }
}

/** Longer than most routes take; those that may take longer say so. A chat is followed for as long as it lasts. */
const TIMEOUT_MS = 30_000;
/** Waits for one call: the limit is by the minute, and other programs with the same key may use it up again. */
const MAX_WAITS = 5;
/** The limit's minute, and some seconds that clocks differ by. A longer wait is left to the person. */
const MAX_WAIT_S = 65;
/** Reset, closed while it was written to, silent to the system, closed in order, and silent for undici's five minutes. */
const ENDS_OF_CONNECTIONS = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/**
 * Makes a client of the suite's public API. Everything it throws is a `CliError` that says what to do, unless the signal
 * ends its calls and waits.
 * @param connection asked with each call: a command's flags are not known before
 */
export function openApi(
  connection: () => { url: string; key: string | undefined; signal?: AbortSignal },
  terminal: Terminal,
): RouteClient {
  const options: RouteClientOptions = {
    timeoutMs: TIMEOUT_MS,
    redirect: 'manual',
    explain: (failure) => explainFailure(failure, connection().url, connection().key !== undefined),
    get address() {
      return connection().url;
    },
    get key() {
      return connection().key;
    },
    get signal() {
      return connection().signal;
    },
  };
  return new PatientClient(options, terminal);
}

/** Waits as the gateway says where a key has used up its minute, so that loops over many memories come to their end. */
class PatientClient extends RouteClient {
  constructor(
    options: RouteClientOptions,
    private readonly terminal: Terminal,
  ) {
    super(options);
  }

  override async call<R extends Route>(route: R, ...input: CallInput<R>): Promise<RouteAnswer<R>> {
    checkOptions(this.options);
    for (let waits = 1; ; waits += 1) {
      try {
        return await super.call(route, ...input);
      } catch (error) {
        await this.waitAfter(error, waits, this.options.signal);
      }
    }
  }

  /** Safe to repeat: after too many requests nothing was yielded, and no message accepted. */
  override async *follow<R extends StreamRoute>(
    route: R,
    input: RouteInput<R>,
    signal: AbortSignal,
  ): AsyncGenerator<RouteEvent<R>> {
    checkOptions(this.options);
    for (let waits = 1; ; waits += 1) {
      try {
        yield* super.follow(route, input, signal);
        return;
      } catch (error) {
        await this.waitAfter(error, waits, signal);
      }
    }
  }

  private async waitAfter(error: unknown, waits: number, signal: AbortSignal | undefined): Promise<void> {
    if (!(error instanceof TooMany) || error.retryAfterS > MAX_WAIT_S || waits > MAX_WAITS) throw error;
    this.terminal.note(`too many requests in a minute: waiting ${error.retryAfterS} s`);
    await sleep(1_000 * error.retryAfterS, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** Refuses an address and a key that no request can be made with. @throws CliError that says what to do */
function checkOptions({ address, key }: RouteClientOptions): void {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    const problem = `"${address}" is not a valid address`;
    throw new CliError(`${problem}: set KITH_URL or --url to one such as http://127.0.0.1:3000`, 2);
  }
  if (key !== undefined && !isWellFormedApiKey(key))
    throw new CliError(
      'the key is cut or mistyped: set KITH_KEY or --key to the whole key, kth_ and 49 characters',
      2,
    );
}

/** Words a failed call for the person at the command line. */
export function explainFailure(failure: CallFailure, url: string, hasKey: boolean): CliError {
  let message: string;
  switch (failure.kind) {
    case 'unreachable':
      if (wasConnected(failure.cause)) return brokenOff(failure);
      message = `nothing answers at ${url}: start Kith with ./scripts/up, or set KITH_URL`;
      return new NothingAnswers(message, 1, failure);
    case 'timed-out':
      message = `no answer from ${url} within ${failure.timeoutMs / 1_000} s: it may be at work still; look before you do it again (kith doctor shows what is down)`;
      return new CliError(message, 1, failure);
    case 'broken-off':
      return brokenOff(failure);
    case 'not-understood':
      message = `what ${url} answers is not what this kith understands: check KITH_URL, and build again (npm run build)`;
      return new CliError(message, 1, failure);
    case 'refused': {
      const { status, problem, movedTo, retryAfterS } = failure;
      if (movedTo !== undefined)
        return new CliError(`${url} redirects to ${movedTo}: set KITH_URL or --url to it`);
      if (!problem) return new CliError(`${url} answered ${status} and is not Kith: check KITH_URL or --url`);
      message = explainProblem(problem, hasKey);
      if (retryAfterS !== undefined) return new TooMany(message, retryAfterS);
      if (problem.code === 'unavailable') return new PartDown(message, problem.receipt);
      if (problem.code === 'conflict') return new AlreadyThere(message);
      if (problem.code === 'not_found' && problem.errors?.some(({ field }) => field === 'companion'))
        return new NoCompanion(message);
      if (problem.code === 'unauthorized') return new KeyRefused(message);
      // Such as an id that is none: the command was called wrongly.
      return new CliError(message, problem.code === 'invalid_request' ? 2 : 1);
    }
  }
}

/** Tells whether the connection ended, rather than never was: attempts at several addresses fail together. */
function wasConnected(fetchError: unknown): boolean {
  const cause = ((fetchError as Error).cause ?? {}) as NodeJS.ErrnoException;
  const { code, syscall } = cause;
  if (syscall === 'connect' || cause instanceof AggregateError) return false;
  return code !== undefined && ENDS_OF_CONNECTIONS.has(code);
}

function brokenOff(failure: CallFailure & { cause: unknown }): ConnectionLost {
  const problem = 'the connection broke off before the answer';
  return new ConnectionLost(`${problem}: it may have been done; look before you do it again`, 1, failure);
}

function explainProblem({ code, detail, errors, correlationId }: Problem, hasKey: boolean): string {
  switch (code) {
    case 'unauthorized':
      return hasKey
        ? `the key was refused (${detail}): set KITH_KEY or --key to a valid one; where none is left, empty KITH_KEY in .env, then ./scripts/down and ./scripts/up, which makes one`
        : 'no key is set for this address: give --key or KITH_KEY; the one that ./scripts/up writes to .env is for its own suite alone';
    case 'forbidden':
      return errors?.some(({ field }) => field === 'scope')
        ? `${detail}: use a key that has it (kith keys create --scope …)`
        : detail;
    case 'unavailable':
      return `${detail} (kith doctor shows what is down)`;
    case 'internal':
      return `something went wrong in Kith: look for ${correlationId ?? 'the error'} in ./scripts/logs`;
    default: {
      const untold = errors?.filter(({ message }) => !detail.includes(message)) ?? [];
      const fields = untold.map(({ field, message }) => `${field}: ${message}`).join('; ');
      return fields ? `${detail} (${fields})` : detail;
    }
  }
}
