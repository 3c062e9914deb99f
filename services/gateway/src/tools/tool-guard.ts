import { AppError, isRetryable } from '@kith/contracts';

/** Time for one call: a person waits for the reply meanwhile. */
const TIMEOUT_MS = 20_000;
/** Calls of one tool at once, so that somebody else's server is not flooded. */
const MAX_AT_ONCE = 4;
/** Calls that may wait for a place: about as many as people who talk at once. More is a flood. */
const MAX_WAITING = 16;
/** Places that one person may hold: the others are for everybody else, however long that person's calls take. */
const MAX_PLACES_OF_ONE = 2;
/** Calls of one person, running and waiting: those of two turns. */
const MAX_CALLS_OF_ONE = 6;
/** Failures in a row after which a tool is left alone. */
const MAX_FAILURES = 5;
/** Time for which it is left alone: as long as a restart takes. */
const REST_MS = 60_000;

interface WaitingCall {
  personId: string;
  /** Begins the call, in a place that is counted already. */
  take: () => void;
}

interface ToolState {
  /** People whose calls run, one entry for each call. */
  running: string[];
  /** Calls that take a place as soon as there is one for their person, the oldest first. */
  waiting: WaitingCall[];
  failures: number;
  restsUntil: number;
}

/** Limits the calls of each tool: their time, how many run at once, and a circuit breaker. */
export class ToolGuard {
  private readonly courses = new Map<string, ToolState>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * Runs work once there is a place for it. The time spent waiting counts against its own.
   * @param call of which tool, for whom, and until when
   * @throws AppError `unavailable` at once where the tool rests, or many calls or many of this person's wait already, or
   *   once its time is over
   */
  async run<T>(
    { name, personId, signal }: { name: string; personId: string; signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const course = this.courseOf(name);
    if (course.restsUntil > this.now())
      throw new AppError('unavailable', `${name} failed ${MAX_FAILURES} times and rests a minute`);
    const own = placesOf(course, personId) + course.waiting.filter((one) => one.personId === personId).length;
    if (course.waiting.length >= MAX_WAITING || own >= MAX_CALLS_OF_ONE)
      throw new AppError('unavailable', `${name} is busy; try again`);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    await placeIn(course, personId, ended, name);
    try {
      const result = await Promise.race([work(ended), refusal(ended, name)]);
      course.failures = 0;
      return result;
    } catch (error) {
      // A turn that became pointless says nothing about the tool, nor does a call that would fail at any time:
      // else whoever gives it nonsense could switch it off for everybody.
      const isItsOwn = !(error instanceof AppError) || isRetryable(error.code);
      if (isItsOwn && !signal.aborted) this.noteFailure(course);
      throw error;
    } finally {
      leave(course, personId);
    }
  }

  private noteFailure(course: ToolState): void {
    course.failures += 1;
    if (course.failures < MAX_FAILURES) return;
    course.failures = 0;
    course.restsUntil = this.now() + REST_MS;
  }

  private courseOf(name: string): ToolState {
    const course = this.courses.get(name) ?? { running: [], waiting: [], failures: 0, restsUntil: -Infinity };
    this.courses.set(name, course);
    return course;
  }
}

/** Takes a place, or waits for one. */
async function placeIn(course: ToolState, personId: string, ended: AbortSignal, name: string): Promise<void> {
  let take: () => void = () => undefined;
  const place = new Promise<void>((resolve) => {
    take = resolve;
  });
  const call = { personId, take };
  course.waiting.push(call);
  fill(course);
  try {
    await Promise.race([place, refusal(ended, name)]);
  } catch (error) {
    const at = course.waiting.indexOf(call);
    if (at >= 0) course.waiting.splice(at, 1);
    // The place came in the same moment: somebody else has it.
    else leave(course, personId);
    throw error;
  }
}

/** Gives a place back. */
function leave(course: ToolState, personId: string): void {
  course.running.splice(course.running.indexOf(personId), 1);
  fill(course);
}

/** Hands free places to whoever waits the longest and may have one more. */
function fill(course: ToolState): void {
  while (course.running.length < MAX_AT_ONCE) {
    const at = course.waiting.findIndex(({ personId }) => placesOf(course, personId) < MAX_PLACES_OF_ONE);
    const [next] = at >= 0 ? course.waiting.splice(at, 1) : [];
    if (!next) return;
    course.running.push(next.personId);
    next.take();
  }
}

/** Counts the calls of a person that run. */
function placesOf({ running }: ToolState, personId: string): number {
  return running.filter((one) => one === personId).length;
}

async function refusal(signal: AbortSignal, name: string): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(new AppError('unavailable', `${name} did not answer in time`));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
