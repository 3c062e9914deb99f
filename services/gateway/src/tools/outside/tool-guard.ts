import { AppError, isRetryable } from '@kith/contracts';

/** Time for one call: a person waits for the reply meanwhile. */
const TIMEOUT_MS = 20_000;
/** Calls of one tool at once: what it leads to is somebody else's, and not to be flooded. */
const MAX_AT_ONCE = 4;
/** Failures in a row after which a tool is left alone. */
const MAX_FAILURES = 5;
/** Time for which it is left alone: as long as a restart takes. */
const REST_MS = 60_000;

interface Course {
  atOnce: number;
  failures: number;
  restsUntil: number;
}

/** Holds the calls of each tool within a time, a number at once, and a breaker. */
export class ToolGuard {
  private readonly courses = new Map<string, Course>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** @throws AppError `unavailable` at once where the tool rests or is crowded, or once its time is over */
  async run<T>(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const course = this.courseOf(name);
    if (course.restsUntil > this.now())
      throw new AppError('unavailable', `${name} failed ${MAX_FAILURES} times and rests a minute`);
    if (course.atOnce >= MAX_AT_ONCE) throw new AppError('unavailable', `${name} is busy; try again`);
    course.atOnce += 1;
    const late = AbortSignal.timeout(this.timeoutMs);
    try {
      const ended = AbortSignal.any([signal, late]);
      const result = await Promise.race([work(ended), refusal(ended, name)]);
      course.failures = 0;
      return result;
    } catch (error) {
      // A turn that became pointless says nothing about the tool, nor does a call that no other time would make better.
      const isItsOwn = !(error instanceof AppError) || isRetryable(error.code);
      if (isItsOwn && !signal.aborted) this.noteFailure(course);
      throw error;
    } finally {
      course.atOnce -= 1;
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
    const course = { atOnce: 0, failures: 0, restsUntil: Number.NEGATIVE_INFINITY };
    this.courses.set(name, course);
    return course;
  }
}

function refusal(signal: AbortSignal, name: string): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(new AppError('unavailable', `${name} did not answer in time`));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
