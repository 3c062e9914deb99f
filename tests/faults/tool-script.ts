import type { ScriptedModel } from '@kith/testing';
import { MARK, type Ledger, answerOf } from './ledger.ts';
import { ORDER_TOOL } from './shop.ts';

type Asked = Parameters<Parameters<ScriptedModel['replyWith']>[0]>[0];

/** Message that is answered with three calls of tools: one that orders outside, one that notes, one that keeps a task. */
export interface ToolWish {
  /** Word that each of its three effects is known by. */
  item: string;
  /** True for all calls in one step, rather than one a step. */
  atOnce: boolean;
}

/** Script of a model that calls tools for the messages that wish for it, by their marks, and answers all others. */
export class ToolScript {
  private readonly wishes = new Map<string, ToolWish>();
  /** Hears how many steps are behind a turn whenever the model is asked for the next one. */
  onStep: (stepsBehind: number) => void = () => undefined;

  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  add(mark: string, wish: ToolWish): void {
    this.wishes.set(mark, wish);
  }

  /** Words or calls of the model. */
  readonly reply = ({ messages }: Asked): ReturnType<Parameters<ScriptedModel['replyWith']>[0]> => {
    const saidAt = messages.findLastIndex(({ role }) => role === 'user');
    const wish = (messages[saidAt]?.text.match(MARK) ?? []).flatMap((mark) => this.wishes.get(mark) ?? [])[0];
    const answer = answerOf(this.ledger, messages);
    if (!wish) return answer;
    const made = messages.slice(saidAt).filter(({ role }) => role === 'tool').length;
    this.onStep(made);
    const calls = callsFor(wish).slice(made, wish.atOnce ? undefined : made + 1);
    return calls.length > 0 ? { text: '', toolCalls: calls } : answer;
  };
}

function callsFor({ item }: ToolWish) {
  return [
    { name: ORDER_TOOL, arguments: { body: { item } } },
    { name: 'core_memory_append', arguments: { label: 'human', content: `wants ${item}` } },
    { name: 'task_add', arguments: { text: `unpack ${item}`, priority: 2, due: '', waits_for: '' } },
  ];
}
