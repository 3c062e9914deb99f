import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const { console } = globalThis;
const { exit } = process;

/**
 * The surroundings of one test file: Node's own. Timers, mocks, the console and `process.exit` are put back when the file has
 * ended; `jest` has the functions that tests use.
 */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  jest;

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

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    Object.assign(process, { exit });
    globalThis.console = console;
  }

  exportConditions() {
    return ['@kith/source', 'node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
