import { describe, expect, it } from '@jest/globals';
import type { Hook, HookPoint, HookRun } from './hook.js';
import { HookList } from './hook-list.js';

const hook = (name: string, more: Partial<Hook>): Hook => ({
  name,
  order: 0,
  onFailure: 'open',
  timeoutMs: 60_000,
  ...more,
});

const RUN = {
  value: 'a',
  given: (value: string) => [{ text: value }],
  take: (_: string, made: { text: string }) => made.text,
};

async function run(hooks: readonly Hook[], point: HookPoint = 'reply') {
  const runs: HookRun[] = [];
  const problems: string[] = [];
  const list = new HookList(hooks, (_, problem) => problems.push(problem));
  const end = await list.run({ ...RUN, point, onRun: (each) => runs.push(each) });
  return { ...end, runs: runs.map(({ hook: name, ended }) => `${name} ${ended}`), problems };
}

const adding = (letter: string) => ({
  reply: (turn: unknown) => ({ text: (turn as { text: string }).text + letter }),
});

describe('hooks of one point', () => {
  it('run in their order, each on what the one before it made', async () => {
    const hooks = [hook('z', { order: 1, ...adding('z') }), hook('y', { order: 2, ...adding('y') })];
    expect(await run(hooks.toReversed())).toMatchObject({
      value: 'azy',
      refusal: null,
      runs: ['z ok', 'y ok'],
    });
  });

  it('leave what they were given where they return nothing', async () => {
    expect(await run([hook('n', { reply: () => undefined })])).toMatchObject({ value: 'a', runs: ['n ok'] });
  });

  it('leave out what no store can hold of what they return', async () => {
    const { value } = await run([hook('odd', { reply: () => ({ text: 'a\0b\ud800' }) })]);
    expect(value).toBe('ab\ufffd');
    const { refusal } = await run([hook('no', { reply: () => ({ refuse: 'ru\0de', say: '\0Hm.' }) })]);
    expect(refusal).toEqual({ reason: 'hook:no: rude', say: 'Hm.', hasFailed: false });
  });

  it('are over once one refuses', async () => {
    const refusing = hook('no', { reply: () => ({ refuse: 'rude', say: 'Hm.' }) });
    const { refusal, runs } = await run([refusing, hook('then', adding('x'))]);
    expect(refusal).toEqual({ reason: 'hook:no: rude', say: 'Hm.', hasFailed: false });
    expect(runs).toEqual(['no refused']);
  });

  it.each(['gate', 'reply', 'beforeInvoke', 'compose'] as const)(
    'at %s, one that returns what goes in circles has failed',
    async (point) => {
      const circles: Record<string, unknown> = { role: 'user', content: 'Hi' };
      Object.assign(circles, { request: circles, socket: { parser: circles, server: circles } });
      const { runs } = await run([hook('h', { [point]: () => circles })], point);
      expect(runs).toEqual(['h failed']);
      const lists = await run([hook('h', { [point]: () => ({ lines: [circles], text: circles }) })], point);
      expect(lists.runs).toEqual(['h failed']);
    },
  );

  it('leave out what is beside a message, whatever it is', async () => {
    const circles: Record<string, unknown> = {};
    Object.assign(circles, { request: circles, socket: circles });
    const message = { role: 'user', content: 'Hi', extra: circles };
    const list = new HookList([hook('h', { beforeInvoke: () => [message] })]);
    const { value } = await list.run<unknown>({
      point: 'beforeInvoke',
      value: [],
      given: () => [],
      take: (_, made) => made,
    });
    expect(value).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no network\nat line 3')), 'no network'],
    ['takes too long', () => new Promise(() => undefined), 'took longer than 20 ms'],
    ['returns another form', () => ({ text: 7 }), 'returned a form that this point does not take'],
    ['writes what is not its own', (turn: unknown) => ((turn as { text: string }).text = 'b'), 'read only'],
  ])('one that %s fails open or closed, as it says', async (_, reply, problem) => {
    const open = await run([hook('h', { reply, timeoutMs: 20 })]);
    expect(open).toMatchObject({ value: 'a', refusal: null, runs: ['h failed'] });
    expect(open.problems[0]).toContain(problem);
    const closed = await run([hook('h', { reply, timeoutMs: 20, onFailure: 'closed' })]);
    expect(closed.refusal).toEqual({ reason: 'hook:h: failed', say: null, hasFailed: true });
  });

  it('see nothing of ours that they could change', async () => {
    const ours = { text: 'a', list: [{ word: 'b' }] };
    const tries: unknown[] = [];
    const reply = (turn: unknown) => {
      const given = turn as typeof ours;
      tries.push(given === ours, Object.isFrozen(given.list[0]));
      given.list.push({ word: 'c' });
    };
    const list = new HookList([hook('h', { reply })]);
    await list.run({ point: 'reply', value: ours, given: (value) => [value] });
    expect(tries).toEqual([false, true]);
    expect(ours.list).toHaveLength(1);
  });
});
