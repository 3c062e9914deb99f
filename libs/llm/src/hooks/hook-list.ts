import { storable, withinTime } from '@kith/contracts';
import {
  HOOK_RETURNS,
  type Hook,
  type HookFunction,
  type HookPoint,
  type HookRefusal,
  type HookRun,
  type Refusal,
} from './hook.js';
import type { z } from 'zod';

/** A point at which hooks run: what they are given, and what becomes of what they return. */
export interface HookCall<Value> {
  point: HookPoint;
  value: Value;
  /** Makes what the next hook is given. */
  given: (value: Value) => readonly unknown[];
  /** Takes what a hook returned, which has the form of its point. */
  take?: (value: Value, returned: never) => Value;
  /** Hears of each run. */
  onRun?: ((run: HookRun) => void) | undefined;
}

/** A hook and its function for one point. */
interface HookAt {
  readonly hook: Hook;
  readonly call: HookFunction;
}

/**
 * Hooks of an operator, in their order. Each gets a frozen copy, has its own time, and fails open or closed as it
 * declares. A hook that loops without an end can not be stopped.
 */
export class HookList {
  private readonly byPoint: ReadonlyMap<HookPoint, readonly HookAt[]>;

  constructor(
    hooks: readonly Hook[] = [],
    /** Hears of a hook that failed, with the reason. */
    private readonly onFailure: (run: HookRun, problem: string) => void = () => undefined,
  ) {
    const ordered = hooks.toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
    this.byPoint = new Map(
      (Object.keys(HOOK_RETURNS) as HookPoint[]).map((point) => [
        point,
        ordered.flatMap((hook) => {
          const call = hook[point]?.bind(hook);
          return call ? [{ hook, call }] : [];
        }),
      ]),
    );
  }

  /** Tells whether any hook runs there. */
  has(point: HookPoint): boolean {
    return this.at(point).length > 0;
  }

  private at(point: HookPoint): readonly HookAt[] {
    return this.byPoint.get(point) ?? [];
  }

  /** Runs the hooks of a point one after the other, until one refuses. Returns the value as they made it. Never throws. */
  async run<Value>(asked: HookCall<Value>): Promise<{ value: Value; refusal: HookRefusal | null }> {
    const { point, value, given, take, onRun } = asked;
    let current = value;
    for (const { hook, call } of this.at(point)) {
      const started = performance.now();
      const note = (ended: HookRun['ended']): HookRun => {
        const run = { hook: hook.name, point, ended, tookMs: Math.round(performance.now() - started) };
        onRun?.(run);
        return run;
      };
      let returned: unknown;
      try {
        returned = await inTime(call, frozenCopy(given(current)), hook.timeoutMs);
        if (returned !== undefined && returned !== null) {
          const form = HOOK_RETURNS[point];
          // Its words may become a reply, or stand in a trace. What has another form may go in circles, or have no end.
          returned = form.parse(storable(form.parse(returned)));
        }
      } catch (error) {
        this.onFailure(note('failed'), problemOf(error));
        if (hook.onFailure === 'open') continue;
        return {
          value: current,
          refusal: { reason: `hook:${hook.name}: failed`, say: null, hasFailed: true },
        };
      }
      if (isRefusal(returned)) {
        note('refused');
        const { refuse, say = null } = returned;
        return { value: current, refusal: { reason: `hook:${hook.name}: ${refuse}`, say, hasFailed: false } };
      }
      note('ok');
      if (returned !== undefined && returned !== null && take) current = take(current, returned as never);
    }
    return { value: current, refusal: null };
  }
}

function isRefusal(returned: unknown): returned is z.infer<typeof Refusal> {
  return typeof returned === 'object' && returned !== null && 'refuse' in returned;
}

/** Calls a function and waits so long for its answer. A later one is ignored. */
async function inTime(call: HookFunction, given: readonly unknown[], ms: number): Promise<unknown> {
  return withinTime(Promise.resolve(call(...given)), ms, () => new Error(`took longer than ${ms} ms`));
}

/** Words what went wrong, in one line. It is the operator's code: what it throws is theirs to read. */
function problemOf(error: unknown): string {
  if (error instanceof Error && error.name === 'ZodError')
    return 'returned a form that this point does not take';
  return firstLineOf(error).slice(0, 200);
}

export function firstLineOf(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n', 1);
  return line;
}

/** Copies plain data and freezes the copy all the way down: whoever gets it can change nothing of ours. */
export function frozenCopy<T>(value: T): T {
  return freeze(structuredClone(value));
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
