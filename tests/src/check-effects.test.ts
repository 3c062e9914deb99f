import { describe, expect, it } from '@jest/globals';
import { checkEffects, type ToolEffects } from '../faults/check-effects.ts';

const ended = { state: 'ended', ok: true };
const whole: ToolEffects = {
  messageId: 'm',
  item: 'kettle',
  killedAt: 'claimed',
  outcomes: ['answered'],
  orders: 1,
  notes: 1,
  tasks: 1,
  steps: [
    { number: 1, calls: [ended, ended] },
    { number: 2, calls: [ended] },
  ],
};
const found = (change: Partial<ToolEffects>) =>
  checkEffects([{ ...whole, ...change }]).map(({ invariant, detail }) => `${invariant}: ${detail}`);

describe('the effects of a turn with three tool calls', () => {
  it('are as they should be', () => expect(found({})).toEqual([]));

  it.each<[Partial<ToolEffects>, RegExp]>([
    [{ orders: 2 }, /did not come once: kettle: 2 orders/],
    [{ tasks: 0 }, /did not come once: kettle: 0 tasks/],
    [{ outcomes: ['apologised'] }, /outcome/],
    [{ outcomes: ['answered', 'answered'] }, /outcome/],
    [{ steps: whole.steps.slice(0, 1) }, /not whole/],
    [{ steps: [{ number: 2, calls: [ended, ended, ended] }] }, /not whole/],
    [{ steps: [{ number: 1, calls: [ended, ended, { state: 'planned' }] }] }, /not whole/],
  ])('are a breach where they are %j', (change, told) => {
    expect(found(change)).toEqual([expect.stringMatching(told)]);
  });
});
