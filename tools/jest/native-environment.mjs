import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const { console } = globalThis;
const { exit } = process;

/** Resources that would keep a file at work after its end, so that later files of its worker fail. */
const AT_WORK = ['TCPSocketWrap', 'TCPServerWrap', 'TCPConnectWrap', 'ProcessWrap', 'Timeout'];
/** Time for what is being closed: a library may wait for the other side. */
const CLOSE_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 20;
/** Events of the framework that tell of a failure. */
const FAILURES = ['test_fn_failure', 'hook_failure', 'error'];

/**
 * The surroundings of one test file: Node's own. Timers, mocks, the console and `process.exit` are put back when the file has
 * ended, and a file that passed fails if it leaves a timer, a TCP connection or server, or a process at work; `jest` has the
 * functions that tests use.
 */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  jest;
  before = new Map();
  hasFailed = false;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const timers = this.fakeTimersModern;
    const mocker = this.moduleMocker;
    this.jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      useFakeTimers: timers.useFakeTimers.bind(timers),
      useRealTimers: timers.useRealTimers.bind(timers),
      advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
      advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
      getTimerCount: timers.getTimerCount.bind(timers),
    };
    // The handlers of the file before listened to that file's framework.
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
  }

  handleTestEvent({ name }) {
    this.hasFailed ||= FAILURES.includes(name);
  }

  async setup() {
    this.before = countAtWork();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    Object.assign(process, { exit });
    globalThis.console = console;
    // What it leaves hides no failure of its own.
    if (this.hasFailed) return;
    const until = performance.now() + CLOSE_WITHIN_MS;
    for (let left = this.left(); left.length > 0; left = this.left()) {
      if (performance.now() > until) throw new Error(`the file left at work: ${left.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  left() {
    const now = countAtWork();
    return AT_WORK.flatMap((kind) => {
      const more = (now.get(kind) ?? 0) - (this.before.get(kind) ?? 0);
      return more > 0 ? [`${more} ${kind}`] : [];
    });
  }

  exportConditions() {
    return ['@kith/source', 'node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** Counts what keeps this process at work, by its kind. */
function countAtWork() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
