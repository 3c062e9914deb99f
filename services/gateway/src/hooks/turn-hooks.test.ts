import { describe, expect, it } from '@jest/globals';
import { HookList, type Hook } from '@kith/llm';
import type { Claim } from '../inbox/claim.js';
import { TurnHooks } from './turn-hooks.js';

const claim = {
  conversationId: 'a conversation',
  personId: 'a person',
  companionId: 'mira',
  audience: 'direct',
  kind: 'direct',
  leaseToken: 7,
  burst: [
    { door: 'http', origin: 'person', text: 'hello', deleted: false },
    { door: 'http', origin: 'person', text: 'taken back', deleted: true },
    { door: 'http', origin: 'person', text: 'and good night', deleted: false },
  ],
} as unknown as Claim;

/** A reply as hooks are shown it. */
interface Shown {
  text: string;
  turnId: string;
}

/** Hooks of one turn, which are run in the order in which they are named here. */
function hooksOf(...hooks: Partial<Hook>[]): TurnHooks {
  const whole = hooks.map((hook, order) => ({
    name: `hook ${order}`,
    order,
    onFailure: 'open' as const,
    timeoutMs: 60_000,
    ...hook,
  }));
  return new TurnHooks(new HookList(whole), claim, 'a turn');
}

describe('hooks on a turn', () => {
  it.each(['receive', 'gate', 'act', 'commit'] as const)(
    'are given it at %s, with what that point adds and without what its person deleted',
    async (point) => {
      const given: unknown[] = [];
      const hooks = hooksOf({ [point]: (turn: unknown) => void given.push(turn) });
      expect(await hooks.ask(point, { tool: 'search' })).toBeNull();
      expect(given).toEqual([
        {
          turnId: 'a turn',
          conversationId: 'a conversation',
          personId: 'a person',
          companionId: 'mira',
          audience: 'direct',
          kind: 'direct',
          door: 'http',
          origin: 'person',
          texts: ['hello', 'and good night'],
          tool: 'search',
        },
      ]);
    },
  );

  it('refuse it by the first one that does', async () => {
    const asked: string[] = [];
    const hooks = hooksOf(
      { name: 'strict', gate: () => ({ refuse: 'too late', say: 'Tomorrow.' }) },
      { gate: () => void asked.push('the next') },
    );
    const refusal = { reason: 'hook:strict: too late', say: 'Tomorrow.', hasFailed: false };
    expect(await hooks.ask('gate')).toEqual(refusal);
    expect(asked).toEqual([]);
  });

  it('add lines to its prompt, each after those of the ones before', async () => {
    const hooks = hooksOf(
      { compose: () => ({ lines: ['It rains.'] }) },
      { compose: () => undefined },
      { compose: () => ({ lines: ['It is late.', 'It is Monday.'] }) },
    );
    expect(await hooks.compose()).toEqual({
      lines: ['It rains.', 'It is late.', 'It is Monday.'],
      refusal: null,
    });
    expect(await hooksOf().compose()).toEqual({ lines: [], refusal: null });
  });

  it('change its reply one after the other, before anybody sees a word of it', async () => {
    const hooks = hooksOf(
      { reply: (given) => ({ text: `${(given as Shown).text}!` }) },
      { reply: (given) => ({ text: `${(given as Shown).text} (${(given as Shown).turnId})` }) },
    );
    expect(hooks.holdReply).toBe(true);
    expect(await hooks.reply('Hi')).toEqual({ text: 'Hi! (a turn)', refusal: null });
    expect(hooksOf({ gate: () => undefined }).holdReply).toBe(false);
  });

  it('leave no more runs than a trace keeps', async () => {
    const hooks = hooksOf({ act: () => undefined });
    for (let call = 0; call < 101; call += 1) await hooks.ask('act');
    expect(hooks.runs).toHaveLength(100);
    expect(hooks.runs[0]).toMatchObject({ hook: 'hook 0', point: 'act', ended: 'ok' });
  });
});
