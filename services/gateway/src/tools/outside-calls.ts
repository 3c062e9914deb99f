import { AppError, cutText, reasonOf, storableText } from '@kith/contracts';
import type { Logger } from 'pino';
import type { ToolGuard } from './tool-guard.js';
import type { NewToolCall, NotedCall, ToolCallRecords } from './permission/tool-call-records.js';
import type { ToolGrants } from './permission/tool-grants.js';
import type { ToolTraits } from './permission/tool-traits.js';
import type { Tool } from './tool.js';
import { wordOutcome } from './word-outcome.js';

export interface CallEnd {
  status: 'done' | 'failed';
  result: string;
}

/** Characters of a result that are kept, as many as a model is ever told. */
const MAX_KEPT = 4_000;
/** Characters of a failure's reason that are told: a sentence or two. */
const MAX_REASON = 300;
/** Beginning of what is told of a call whose end nobody knows. It is all that is kept of that. */
const MAYBE = 'It may have happened';
const UNKNOWN_END = `${MAYBE}: it was begun before and broken off. It is not tried again.`;
const LOST_RESULT = 'It was done before; what it told is not known any more. It is not done again.';

/** Makes calls that reach outside: noted before, once each, within the guard. */
export class OutsideCalls {
  /** Calls that are under way here, by their keys. */
  private readonly underWay = new Map<string, Promise<CallEnd>>();

  constructor(
    readonly records: Pick<ToolCallRecords, 'ask' | 'begin' | 'end' | 'find'>,
    readonly grants: Pick<ToolGrants, 'has'>,
    private readonly guard: ToolGuard,
    private readonly logger: Logger,
  ) {}

  /**
   * Carries a call out, or returns the result of an earlier time. If its tool allows that, a call is made again with its
   * key where its end is unknown, or where it changes nothing and its result is lost.
   * @throws the signal's reason where it breaks off such a call of a tool that changes nothing
   */
  carryOut(tool: Tool, call: NewToolCall, signal: AbortSignal): Promise<CallEnd> {
    return this.once(call.key, signal, async () => {
      const { call: noted, isNew } = await this.records.begin(call);
      if (!isNew && !(tool.isRepeatable === true && isToRepeat(noted, tool.traits)))
        return earlierEnd(noted, new Date());
      // It may have lost its arguments since it was noted.
      return this.make(tool, { ...noted, arguments: call.arguments }, signal);
    });
  }

  /** Finds the end of a call that was begun, or answered, earlier; null where there was none. */
  async earlier(personId: string, key: string): Promise<CallEnd | null> {
    const end = await this.underWay.get(key)?.catch(() => null);
    if (end) return end;
    const noted = await this.records.find(personId, key);
    return noted && noted.status !== 'waiting' ? earlierEnd(noted, new Date()) : null;
  }

  /** Carries out a call that is noted as running. */
  perform(tool: Tool, call: NotedCall, signal: AbortSignal): Promise<CallEnd> {
    return this.once(call.key, signal, () => this.make(tool, call, signal));
  }

  /**
   * Notes the end of a call and returns it, even if it can't be noted: reporting a failure would get the call made
   * twice.
   */
  async end({ id, personId, tool }: NotedCall, end: CallEnd): Promise<CallEnd> {
    const { status, result } = end;
    try {
      await this.records.end(personId, id, status, result);
    } catch (error) {
      const reason = reasonOf(error);
      this.logger.error({ callId: id, tool, personId, status, reason }, 'the end of a call is not noted');
    }
    return end;
  }

  /** Makes a call, or waits for the end of the same one that is under way: a step of a turn may hold it twice. */
  private async once(key: string, signal: AbortSignal, make: () => Promise<CallEnd>): Promise<CallEnd> {
    for (let other = this.underWay.get(key); other; other = this.underWay.get(key)) {
      const end = await other.catch(() => null);
      if (end) return end;
      // The other one was broken off with its turn, which may be another try of this one's.
      signal.throwIfAborted();
    }
    const made = make().finally(() => this.underWay.delete(key));
    this.underWay.set(key, made);
    return made;
  }

  private async make(tool: Tool, call: NotedCall, signal: AbortSignal): Promise<CallEnd> {
    const end = await this.end(call, await this.attempt(tool, call, signal));
    const { id, personId } = call;
    this.logger.info({ callId: id, tool: call.tool, personId, status: end.status }, 'a tool was used');
    return end;
  }

  private async attempt(tool: Tool, call: NotedCall, signal: AbortSignal): Promise<CallEnd> {
    const { name, changes } = tool.traits;
    const mayBreakOff = changes === 'nothing' && tool.isRepeatable === true;
    const progress = { isBegun: false };
    try {
      // Any other call goes on if its turn is interrupted: half an effect is worse than all of it, and what may not be
      // asked again has its answer for the next try.
      const until = mayBreakOff ? signal : new AbortController().signal;
      const result = await this.guard.run({ name, personId: call.personId, signal: until }, (ended) => {
        progress.isBegun = true;
        return tool.call(call.arguments, { key: call.id, signal: ended });
      });
      return { status: 'done', result: storableText(cutText(result, MAX_KEPT)) };
    } catch (error) {
      // The call stays open, and the turn that goes on with it makes it again.
      if (mayBreakOff) signal.throwIfAborted();
      // The error's message may repeat a person's words: it goes to that person's call alone, not to the log.
      this.logger.warn({ callId: call.id, tool: name, reason: reasonOf(error) }, 'a tool failed');
      const reason = error instanceof Error ? cutText(error.message, MAX_REASON) : 'unknown error';
      // Without an answer, the call may have taken effect.
      const isRefused = error instanceof AppError && error.code === 'invalid_request';
      const mayHaveWorked = changes === 'outside' && progress.isBegun && !isRefused;
      const told = mayHaveWorked ? `${MAYBE}, but no answer says so` : 'It did not work';
      return { status: 'failed', result: `${told}: ${storableText(reason)}` };
    }
  }
}

/** Tells whether a call that is not noted as done may have had its effect all the same. Pure. */
export function mayHaveHappened({ status, result }: Pick<NotedCall, 'status' | 'result'>): boolean {
  if (status === 'running') return true;
  return status === 'failed' && (result === null || result.startsWith(MAYBE));
}

/** Tells whether an earlier call is made again: nobody knows its end, or its result is lost and it changes nothing. Pure. */
function isToRepeat({ status, result }: NotedCall, { changes }: ToolTraits): boolean {
  if (status === 'running') return true;
  return result === null && (status === 'failed' || (status === 'done' && changes === 'nothing'));
}

/** Returns the end of a call that was made earlier. Pure. */
function earlierEnd(call: NotedCall, now: Date): CallEnd {
  const { status, result } = call;
  if (status === 'done') return { status, result: result ?? LOST_RESULT };
  const isBegun = status === 'running' || status === 'failed';
  return { status: 'failed', result: result ?? (isBegun ? UNKNOWN_END : wordOutcome(call, now)) };
}
