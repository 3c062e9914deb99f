import { AppError, isRetryable } from '@kith/contracts';

/** Time for one call: a person waits for the reply meanwhile. */
const TIMEOUT_MS = 20_000;
/** Calls of one tool at once, so that somebody else's server is not flooded. */
const MAX_AT_ONCE = 4;
/** Calls that may wait for a place: about as many as people who talk at once. More is a flood. */
const MAX_WAITING = 16;
/** Failures in a row after which a tool is left alone. */
const MAX_FAILURES = 5;
/** Time for which it is left alone: as long as a restart takes. */
const REST_MS = 60_000;

interface Course {
  atOnce: number;
  /** Calls that take a place as soon as there is one, the oldest first. */
  waiting: (() => void)[];
  failures: number;
  restsUntil: number;
}

/** Limits the calls of each tool: their time, how many run at once, and a circuit breaker. */
export class ToolGuard {
  private readonly courses = new Map<string, Course>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * Runs work once there is a place for it. The time spent waiting counts against its own.
   * @throws AppError `unavailable` at once where the tool rests or many wait already, or once its time is over
   */
  async run<T>(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const course = this.courseOf(name);
    if (course.restsUntil > this.now())
      throw new AppError('unavailable', `${name} failed ${MAX_FAILURES} times and rests a minute`);
    if (course.waiting.length >= MAX_WAITING) throw new AppError('unavailable', `${name} is busy; try again`);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    await placeIn(course, ended, name);
    try {
      const result = await Promise.race([work(ended), refusal(ended, name)]);
      course.failures = 0;
      return result;
    } catch (error) {
      // A turn that became pointless says nothing about the tool, nor does a call that no other time would make better:
      // else whoever gives it nonsense could switch it off for everybody.
      const isItsOwn = !(error instanceof AppError) || isRetryable(error.code);
      if (isItsOwn && !signal.aborted) this.noteFailure(course);
      throw error;
    } finally {
      leave(course);
    }
  }

  private noteFailure(course: Course): void {
    course.failures += 1;
    if (course.failures < MAX_FAILURES) return;
    course.failures = 0;
    course.restsUntil = this.now() + REST_MS;
  }

  private courseOf(name: string): Course {
    const known = this.courses.get(name);
    if (known) return known;
    const course = { atOnce: 0, waiting: [], failures: 0, restsUntil: Number.NEGATIVE_INFINITY };
    this.courses.set(name, course);
    return course;
  }
}

/** Takes a place, or waits for one. */
async function placeIn(course: Course, ended: AbortSignal, name: string): Promise<void> {
  if (course.atOnce < MAX_AT_ONCE) {
    course.atOnce += 1;
    return;
  }
  let take: () => void = () => undefined;
  const place = new Promise<void>((resolve) => {
    take = resolve;
  });
  course.waiting.push(take);
  try {
    await Promise.race([place, refusal(ended, name)]);
  } catch (error) {
    const at = course.waiting.indexOf(take);
    if (at >= 0) course.waiting.splice(at, 1);
    // The place came in the same moment: somebody else has it.
    else leave(course);
    throw error;
  }
}

/** Hands a place to whoever waits the longest. */
function leave(course: Course): void {
  const next = course.waiting.shift();
  if (next) next();
  else course.atOnce -= 1;
}

function refusal(signal: AbortSignal, name: string): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(new AppError('unavailable', `${name} did not answer in time`));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
