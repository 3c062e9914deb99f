import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import pino from 'pino';
import { mayHaveHappened, OutsideCalls } from './outside-calls.js';
import type { NewToolCall, NotedCall } from './permission/tool-call-records.js';
import { effectTool } from './testing-tools.js';
import { ToolGuard } from './tool-guard.js';

const tool = effectTool('send_note', []);
const going = new AbortController().signal;
const asked: NewToolCall = {
  key: 'key',
  personId: 'ann',
  conversationId: null,
  turnId: 'turn',
  tool: 'send_note',
  pin: 'pin',
  place: { companionId: 'mira', server: null, channel: null, roles: [] },
  arguments: { to: 'Bob' },
};
const noted: NotedCall = { ...asked, id: 'id', status: 'running', result: null, expiresAt: null };

/** Makes calls over records that hold one call, if any. */
function open(found: NotedCall | null = null, end: () => Promise<void> = () => Promise.resolve()) {
  const lines: string[] = [];
  let call = found;
  const records = {
    ask: async () => noted,
    begin: async () => {
      const isNew = call === null;
      call ??= noted;
      return { call, isNew };
    },
    end,
    find: async () => call,
  };
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  return { calls: new OutsideCalls(records, { has: async () => false }, new ToolGuard(), logger), lines };
}

describe('a call that reaches outside', () => {
  it('was made though its end can not be noted, and the log says so without its words', async () => {
    const { calls, lines } = open(null, () => Promise.reject(new AppError('unavailable', 'about Bob')));
    const done = { status: 'done', result: 'did send_note' };
    expect(await calls.carryOut(tool, asked, going)).toEqual(done);
    expect(await calls.perform(tool, noted, going)).toEqual(done);
    expect(lines.join('')).toContain('the end of a call is not noted');
    expect(lines.join('')).not.toMatch(/Bob|did send/);
  });

  it('is one with the same call of its step', async () => {
    const { calls } = open();
    let made = 0;
    const slow = { ...tool, isRepeatable: true, call: async () => `made ${(made += 1)}` };
    const ends = await Promise.all([1, 2].map(() => calls.carryOut(slow, asked, going)));
    expect(ends).toEqual([1, 2].map(() => ({ status: 'done', result: 'made 1' })));
  });

  it('is made by the next try of its turn while an earlier one is being broken off', async () => {
    const { calls } = open();
    let made = 0;
    const page = {
      ...tool,
      traits: { ...tool.traits, changes: 'nothing' as const },
      isRepeatable: true,
      call: async () => ((made += 1) === 1 ? new Promise<string>(() => undefined) : 'the page'),
    };
    const turn = new AbortController();
    const broken = calls.carryOut(page, asked, turn.signal);
    const again = calls.carryOut(page, asked, going);
    turn.abort(new Error('overtaken'));
    await expect(broken).rejects.toThrow('overtaken');
    expect(await again).toEqual({ status: 'done', result: 'the page' });
  });

  it('goes on without its turn where it may not be made again, and the next try has its result', async () => {
    const { calls } = open();
    const lookup = {
      ...tool,
      traits: { ...tool.traits, changes: 'nothing' as const },
      isRepeatable: false,
      call: () => sleep(50, 'the weather'),
    };
    const turn = new AbortController();
    const first = calls.carryOut(lookup, asked, turn.signal);
    turn.abort(new Error('overtaken'));
    const again = calls.carryOut(lookup, asked, going);
    const done = { status: 'done', result: 'the weather' };
    expect(await Promise.all([first, again])).toEqual([done, done]);
  });

  it.each(['done', 'failed'] as const)(
    'is made again where it only looks and lost its words: %s',
    async (status) => {
      const { calls } = open({ ...noted, status, arguments: {} });
      const page = {
        ...tool,
        traits: { ...tool.traits, changes: 'nothing' as const },
        isRepeatable: true,
        call: async ({ to }: Record<string, unknown>) => `the page of ${to as string}`,
      };
      expect(await calls.carryOut(page, asked, going)).toEqual({ status: 'done', result: 'the page of Bob' });
    },
  );

  it.each(['done', 'failed'] as const)(
    'with a key is made again where its end was lost: %s',
    async (status) => {
      const { calls } = open({ ...noted, status });
      const end = await calls.carryOut({ ...tool, isRepeatable: true }, asked, going);
      expect(end.result).toMatch(status === 'failed' ? /^did send_note$/ : /was done before/);
    },
  );

  it('that is under way has the end that it comes to', async () => {
    const { calls } = open({ ...noted, status: 'running' });
    const slow = { ...tool, isRepeatable: true, call: () => sleep(50, 'sent') };
    const made = calls.carryOut(slow, asked, going);
    expect(await calls.earlier('ann', 'key')).toEqual({ status: 'done', result: 'sent' });
    await made;
    expect(await open().calls.earlier('ann', 'key')).toBeNull();
  });

  it.each([
    [{ status: 'running' }, 'failed', /may have happened/],
    // Its words were forgotten while it was under way.
    [{ status: 'failed' }, 'failed', /may have happened/],
    [{ status: 'done' }, 'done', /was done before/],
    [{ status: 'done', result: 'sent' }, 'done', /^sent$/],
    [
      { status: 'waiting', expiresAt: new Date('2999-01-01') },
      'failed',
      /not answered yet, so it is not done/,
    ],
    [{ status: 'waiting', expiresAt: new Date(0) }, 'failed', /not answer in time/],
    [{ status: 'declined' }, 'failed', /said no, so it was not done/],
    [{ status: 'expired' }, 'failed', /not answer in time/],
  ] as const)('that was noted before as %j is not made, and told as it is', async (found, status, told) => {
    const { calls } = open({ ...noted, ...found });
    const end = await calls.carryOut(tool, asked, going);
    expect(end).toEqual({ status, result: expect.stringMatching(told) });
    const isOpen = found.status === 'waiting';
    expect(await calls.earlier('ann', 'key')).toEqual(isOpen ? null : end);
    const isUnsure = told.test('may have happened');
    expect([mayHaveHappened(end), mayHaveHappened({ ...noted, ...found })]).toEqual([isUnsure, isUnsure]);
  });
});
