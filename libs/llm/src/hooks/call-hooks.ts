import { PlainError } from '@kith/contracts';
import type { ChatMessage } from '../messages.js';
import type { HookRefusal, HookRun } from './hook.js';
import type { CallObserver, CallPayload, CallResponse } from './model-call.js';
import { HookList } from './hook-list.js';

/** A call that is not made, as the day's tokens are spent. It says nothing of the model. */
export class SpentError extends PlainError {
  override readonly name = 'SpentError';

  constructor() {
    super('the day’s tokens are spent');
  }
}

/** Hooks on each call of a model: ours first, then the operator's. */
export class CallHooks {
  /** @param isSpent tells whether the day's tokens are spent, for a call that can be done without */
  constructor(
    private readonly observers: readonly CallObserver[] = [],
    private readonly list = new HookList(),
    private readonly isSpent: (call: CallPayload) => boolean = () => false,
  ) {}

  /**
   * Runs what goes before a call. Returns the messages that are sent, or why none are.
   * @throws SpentError
   */
  async before(
    messages: readonly ChatMessage[],
    payload: () => CallPayload,
    onRun?: (run: HookRun) => void,
  ): Promise<{ messages: readonly ChatMessage[]; refusal: HookRefusal | null }> {
    if (this.isSpent(payload())) throw new SpentError();
    if (!this.list.has('beforeInvoke')) return { messages, refusal: null };
    const { value, refusal } = await this.list.run({
      point: 'beforeInvoke',
      value: messages,
      given: (current) => [current, payload()],
      take: (_, made: readonly ChatMessage[]) => made,
      onRun,
    });
    return { messages: value, refusal };
  }

  /** Runs what goes after a call, however it ended. */
  async after(
    messages: readonly ChatMessage[],
    response: CallResponse,
    onRun?: (run: HookRun) => void,
  ): Promise<HookRefusal | null> {
    for (const observer of this.observers) observer(response);
    if (!this.list.has('afterInvoke')) return null;
    const value = [messages, response] as const;
    return (await this.list.run({ point: 'afterInvoke', value, given: (both) => both, onRun })).refusal;
  }
}
