import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@kith/testing';
import { CallHooks } from '../../hooks/call-hooks.js';
import { HookList } from '../../hooks/hook-list.js';
import type { Hook } from '../../hooks/hook.js';
import { createModelRoles } from '../../settings/model-roles.js';
import { first, second, FIRST, SECOND, chain, request } from './chain-of-two.js';

/** Tests when a model is probed, and what that tells of it. */
export function probeModels(): void {
  describe('a chain of models', () => {
    it('finds out by itself that a model is well again, asking only the one that was not', async () => {
      const role = chain();
      first.always({ kind: 'status', status: 500 });
      expect(await role.complete(request)).toMatchObject({ model: SECOND });
      expect(role.status()).toMatchObject([{ lastError: 'overloaded' }, { lastError: null }]);
      const asked = second.requests.length;
      expect(await role.probe()).toMatchObject([{ lastError: 'overloaded' }, { lastError: null }]);
      first.reset();
      expect(await role.probe()).toMatchObject([{ lastError: null }, { lastError: null }]);
      expect(second.requests).toHaveLength(asked);
      const answered = first.requests.length;
      await role.probe();
      expect(first.requests).toHaveLength(answered);
    });

    it('probes a model as well that has thought for all the room it had', async () => {
      const role = chain({ chatModels: FIRST });
      first.next({ kind: 'status', status: 503 });
      first.next({ kind: 'status', status: 503 });
      first.next({ kind: 'status', status: 503 });
      await expect(role.complete(request)).rejects.toThrow();
      first.replyWith(() => ({ text: '<think>Am I there? Perhaps I am', isCut: true }));
      expect(await role.probe()).toMatchObject([{ isTrusted: true, lastError: null }]);
    });

    it('probes a model as sick whose answer is still empty, and leaves one as it was that may not be asked', async () => {
      const role = chain({ chatModels: FIRST });
      first.always({ kind: 'empty' });
      await expect(role.complete(request)).rejects.toThrow();
      await expect(role.probe()).rejects.toThrow();
      expect(role.status()).toMatchObject([{ lastError: 'empty' }]);
      let isSpent = false;
      const hooks = new CallHooks([], undefined, () => isSpent);
      const settings = { ...first.settings(5_000), chatModels: FIRST, budgetMs: 300 };
      const spent = createModelRoles(settings, undefined, hooks).chat;
      first.always({ kind: 'status', status: 503 });
      await expect(spent.complete(request)).rejects.toThrow();
      const before = spent.status();
      isSpent = true;
      await expect(spent.probe()).rejects.toThrow();
      expect(spent.status()).toEqual(before);
      expect((await spent.test())[0]?.checks[0]).toMatchObject({ problem: 'the day’s tokens are spent' });
    });

    it('probes a model as well that refuses what a probe asks, and leaves it to the next caller where a hook does', async () => {
      let isRefused = false;
      const hook: Hook = {
        name: 'h',
        order: 0,
        onFailure: 'open',
        timeoutMs: 60_000,
        beforeInvoke: () => (isRefused ? { refuse: 'not now' } : undefined),
      };
      const settings = { ...first.settings(5_000), chatModels: FIRST };
      const role = createModelRoles(settings, undefined, new CallHooks([], new HookList([hook]))).chat;
      const now = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now');
      first.next({ kind: 'spend-limit' });
      await expect(role.complete(request)).rejects.toThrow();
      clock.mockImplementation(() => now() + 3_600_000);
      isRefused = true;
      await expect(role.probe()).rejects.toThrow();
      isRefused = false;
      expect(await role.complete(request)).toMatchObject({ model: FIRST });
      first.next({ kind: 'spend-limit' });
      await expect(role.complete(request)).rejects.toThrow();
      clock.mockImplementation(() => now() + 7_200_000);
      first.next({ kind: 'status', status: 400 });
      expect(await role.probe()).toMatchObject([{ isTrusted: true, lastError: null }]);
      clock.mockRestore();
    });

    it('keeps what a call has found while a probe was under way', async () => {
      const role = chain({ chatModels: FIRST, maxTries: 1 });
      first.next({ kind: 'status', status: 503 });
      await expect(role.complete(request)).rejects.toThrow();
      const after = setTimeout;
      // The time of a probe is over as soon as the call has been answered.
      const timers = jest
        .spyOn(globalThis, 'setTimeout')
        .mockImplementation(((run: () => void, ms: number) => after(run, ms === 10_000 ? 300 : ms)) as never);
      first.replyWith(() => ({ text: 'Yes.', reasoning: ['Am', ' I?'] }));
      first.next({ kind: 'slow', thoughtMs: 2_000 });
      const probed = role.probe();
      await eventually('the probe is under way', () => first.requests.length === 2);
      first.next({ kind: 'spend-limit' });
      await expect(role.complete(request)).rejects.toThrow();
      await expect(probed).rejects.toThrow();
      expect(role.status()).toMatchObject([{ isTrusted: false, lastError: 'spend-limit' }]);
      timers.mockRestore();
    });

    it('does not probe a model before its time', async () => {
      const role = chain({ chatModels: FIRST });
      first.next({ kind: 'spend-limit' });
      await expect(role.complete(request)).rejects.toThrow();
      const asked = first.requests.length;
      await expect(role.probe()).rejects.toMatchObject({ name: 'ModelChainError' });
      expect(role.status()).toMatchObject([{ isTrusted: false, lastError: 'spend-limit' }]);
      expect(first.requests).toHaveLength(asked);
    });

    it.each(['aborted', 'refused for what it asks', 'left without a try'])(
      'is probed by the next caller where the last one was %s',
      async (how) => {
        const sick = how === 'left without a try' ? second : first;
        const role = chain({ maxTokens: 1 });
        if (sick === second) first.next({ kind: 'spend-limit' });
        sick.next({ kind: 'spend-limit' });
        await role.complete(request).catch(() => undefined);
        const now = performance.now.bind(performance);
        const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
        const asked = sick.requests.length;
        if (how === 'aborted') {
          first.next({ kind: 'hang' });
          await expect(role.complete({ ...request, signal: AbortSignal.timeout(50) })).rejects.toThrow();
        } else if (sick === first) {
          first.next({ kind: 'status', status: 400 });
          expect(await role.complete(request)).toMatchObject({ model: SECOND });
        } else {
          first.always({ kind: 'empty' });
          await expect(role.complete(request)).rejects.toThrow();
          expect(sick.requests).toHaveLength(asked);
          first.reset();
          first.next({ kind: 'spend-limit' });
        }
        const { tries } = await role.complete(request);
        expect(tries.at(-1)).toMatchObject({ model: sick === first ? FIRST : SECOND, kind: 'answered' });
        clock.mockRestore();
      },
    );
  });
}
