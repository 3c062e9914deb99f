import { AppError, cutText, reasonOf, storableText } from '@kith/contracts';
import type { Logger } from 'pino';
import type { ToolGuard } from './tool-guard.js';
import type { NewToolCall, NotedCall, ToolCallRecords } from './permission/tool-call-records.js';
import type { ToolGrants } from './permission/tool-grants.js';
import type { ToolTraits } from './permission/tool-traits.js';
import type { Tool } from './tool.js';

/** End of a call that reached outside. */
export interface CallEnd {
  status: 'done' | 'failed';
  result: string;
}

/** Characters of a result that are kept, as many as a model is ever told. */
const MAX_KEPT = 4_000;
/** Characters of a failure's reason that are told: a sentence or two. */
const MAX_REASON = 300;
const UNKNOWN_END = 'It was begun before and broken off: it may have happened. It is not tried again.';

/** Makes calls that reach outside: noted before, once each, within the guard. */
export class OutsideCalls {
  constructor(
    private readonly records: ToolCallRecords,
    private readonly grants: ToolGrants,
    private readonly guard: ToolGuard,
    private readonly logger: Logger,
  ) {}

  isGranted(personId: string, companionId: string, traits: ToolTraits): Promise<boolean> {
    return this.grants.has(personId, companionId, traits);
  }

  /** Puts a call to its person. */
  ask(call: NewToolCall): Promise<NotedCall> {
    return this.records.ask(call, new Date());
  }

  /**
   * Carries a call out, or returns the result of an earlier time. A call that was broken off is made again, with its key,
   * where its tool may be asked again.
   * @throws the signal's reason where it breaks off such a call, which changes nothing
   */
  async carryOut(tool: Tool, call: NewToolCall, signal: AbortSignal): Promise<CallEnd> {
    const { call: noted, isNew } = await this.records.begin(call);
    const isBrokenOff = noted.status === 'running' && tool.isRepeatable === true;
    if (!isNew && !isBrokenOff) {
      const isDone = noted.status === 'done';
      return { status: isDone ? 'done' : 'failed', result: noted.result ?? UNKNOWN_END };
    }
    return this.perform(tool, noted, signal);
  }

  /** Carries out a call that is noted as running. */
  async perform(tool: Tool, call: NotedCall, signal: AbortSignal): Promise<CallEnd> {
    const { id, personId } = call;
    const end = await this.attempt(tool, call, signal);
    await this.records.end(personId, id, end.status, end.result);
    this.logger.info({ callId: id, tool: call.tool, personId, status: end.status }, 'a tool was used');
    return end;
  }

  private async attempt(tool: Tool, call: NotedCall, signal: AbortSignal): Promise<CallEnd> {
    const { name, changes } = tool.traits;
    const progress = { isBegun: false };
    try {
      // What changes something goes on when its turn is interrupted: half of an effect is worse than all of it.
      const until = changes === 'outside' ? new AbortController().signal : signal;
      const result = await this.guard.run({ name, personId: call.personId, signal: until }, (ended) => {
        progress.isBegun = true;
        return tool.call(call.arguments, { key: call.id, signal: ended });
      });
      return { status: 'done', result: storableText(cutText(result, MAX_KEPT)) };
    } catch (error) {
      // The call stays open, and the turn that goes on with it makes it again.
      if (changes === 'nothing' && tool.isRepeatable) signal.throwIfAborted();
      // Its message may tell in the server's words what a person said, and goes to that person's call alone.
      this.logger.warn({ callId: call.id, tool: name, reason: reasonOf(error) }, 'a tool failed');
      const reason = error instanceof Error ? cutText(error.message, MAX_REASON) : 'unknown error';
      // Without an answer, an order may have been taken.
      const isRefused = error instanceof AppError && error.code === 'invalid_request';
      const mayHaveWorked = changes === 'outside' && progress.isBegun && !isRefused;
      const told = mayHaveWorked ? 'It may have happened, but no answer says so' : 'It did not work';
      return { status: 'failed', result: `${told}: ${storableText(reason)}` };
    }
  }
}
