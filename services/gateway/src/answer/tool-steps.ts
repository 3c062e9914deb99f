import { present } from '@kith/contracts';
import { MAX_TOOL_NAME, type ChatMessage, type ToolCall } from '@kith/llm';
import { step } from '@kith/service-host';
import type { TurnHooks } from '../hooks/turn-hooks.js';
import type { StepLog } from '../steps/step-log.js';
import type { CallResult, KeptStep, ShownMemory, StepCost, StepWords } from '../steps/step-words.js';
import { MAYBE_DONE, type ToolResult, type ToolRunner } from '../tools/tool-runner.js';
import { TurnEffects } from './turn-effects.js';

/** Call of a tool, for the trace. */
export interface TracedCall {
  name: string;
  ok: boolean;
  tookMs: number;
}

const GONE = 'This was carried out before; what it told is not known any more. Do not repeat it.';
const NOT_DONE = 'This was not carried out.';
const REFUSED = 'Not done: a rule of the operator does not allow this. Answer without it.';

interface ToolStepParts {
  steps: StepLog;
  tools: ToolRunner;
  /** Memories that tools have shown; what earlier tries were shown is added to it. */
  shown: ShownMemory[];
  hooks: Pick<TurnHooks, 'ask'>;
  signal: AbortSignal;
}

/**
 * Carries out the calls of a turn's steps so that each has its effect once, whenever the process dies. A call that may
 * change something is committed before it is made. After a crash it is made again with the same key, by which its
 * receiver recognises it.
 */
export class ToolSteps {
  readonly uses: TracedCall[] = [];
  readonly effects = new TurnEffects();

  constructor(private readonly parts: ToolStepParts) {}

  /** Carries out a new step. Returns it as the model is shown it. */
  async take(words: StepWords, cost: StepCost): Promise<ChatMessage[]> {
    const { steps, tools } = this.parts;
    const number = steps.take();
    const mayChange = words.calls.some(({ name }) => tools.mayChange(name));
    if (mayChange) await this.commit(number, words, cost);
    const results = await Promise.all(
      words.calls.map((call, index) => this.call(call, number, index, mayChange)),
    );
    if (!mayChange) await this.commit(number, words, cost, results);
    return messagesOf(words, words.calls, results);
  }

  /** Finishes a step of an earlier try. No call that had its effect is repeated. */
  async resume(kept: KeptStep): Promise<ChatMessage[]> {
    const calls = kept.calls.map(
      ({ name }, index): ToolCall =>
        kept.words?.calls[index] ?? { id: `call-${kept.number}-${index}`, name, arguments: {} },
    );
    const results = await Promise.all(
      kept.calls.map(async (made, index): Promise<CallResult> => {
        const { state, result, name } = made;
        const call = kept.words?.calls[index];
        // A failed call is tried once more: a question to the person, say, is found again and shown with the reply.
        if (call && !(state === 'ended' && result?.ok))
          return this.call(call, kept.number, index, true, made);
        // A call whose words are gone may have ended without a note of it.
        const open = this.parts.tools.mayChange(name) ? MAYBE_DONE : NOT_DONE;
        const told = result ?? { content: state === 'ended' ? GONE : open, ok: false, shown: [] };
        this.parts.shown.push(...told.shown);
        this.uses.push({ name, ok: told.ok, tookMs: 0 });
        this.effects.noteKept(made, this.parts.tools);
        return told;
      }),
    );
    return messagesOf(kept.words ?? { text: '', reasoning: [] }, calls, results);
  }

  private async call(
    call: ToolCall,
    number: number,
    index: number,
    isCommitted: boolean,
    earlier: KeptStep['calls'][number] | null = null,
  ): Promise<CallResult> {
    const { signal, tools, steps, shown, hooks } = this.parts;
    const before = shown.length;
    const key = `${steps.turnId}-${number}-${index}`;
    const refusal = await hooks.ask('act', { tool: call.name, arguments: call.arguments });
    const course = { refusal: refusal && REFUSED, earlier };
    const { tookMs, ...told }: ToolResult = await tools.run(call, { key, signal }, course);
    // An aborted call may have taken effect all the same: the next try repeats it, with its key.
    if (!told.ok) signal.throwIfAborted();
    const name = call.name.slice(0, MAX_TOOL_NAME);
    this.uses.push({ name, ok: told.ok, tookMs });
    const made = { name, changes: earlier?.changes ?? tools.changesOf(name) };
    this.effects.note(made, told);
    const result = { ...told, shown: shown.slice(before) };
    step('call-made');
    if (isCommitted) {
      await steps.end(number, index, made, result);
      step('call-ended');
    }
    return result;
  }

  private async commit(
    number: number,
    words: StepWords,
    cost: StepCost,
    results: readonly CallResult[] = [],
  ): Promise<void> {
    const { steps, tools } = this.parts;
    const made = words.calls.map(({ name }, index) => ({
      name,
      changes: tools.changesOf(name),
      result: results[index],
    }));
    await steps.commit(steps.row(number, words, cost, made));
    step('step-committed');
  }
}

/** Makes the messages of a step. The last result tells of calls that were left out. */
function messagesOf(
  { text, reasoning, leftOut = 0 }: Pick<StepWords, 'text' | 'reasoning' | 'leftOut'>,
  calls: readonly ToolCall[],
  results: readonly CallResult[],
): ChatMessage[] {
  const made = calls.length;
  const note = `\n\nCarried out: ${made} of ${made + leftOut} calls, the first ones. Make the others again if they are still needed.`;
  return [
    { role: 'assistant', content: text, toolCalls: calls, ...(reasoning.length > 0 && { reasoning }) },
    ...calls.map(({ id, name }, index): ChatMessage => ({
      role: 'tool',
      toolCallId: id,
      name,
      content: present(results[index]).content + (leftOut > 0 && index === made - 1 ? note : ''),
    })),
  ];
}
