import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { HookList } from '@kith/llm';
import pino from 'pino';
import { effectTool, toolsOver } from '../testing-tools.js';
import { talk, everywhere, place, context, tool, effects, speaker, open, turn, call } from './open-tools.js';

/** Tests when a person is asked about a call, and what comes of their answer. */
export function questions(): void {
  describe('a tool that changes something', () => {
    it('is not offered and not used before an operator allows it, and no more once it is denied', async () => {
      const { permitted, rules } = open();
      const before = await call(permitted, turn('Send a note to Bob'));
      expect(before).toMatchObject({ ok: false, offered: [], asked: [] });
      await rules.set({ tool, ...everywhere }, true);
      expect((await call(permitted, turn('Send a note to Bob'))).offered).toEqual([tool]);
      // Nobody is there who could want it.
      expect((await call(permitted, { ...turn(''), origin: 'heartbeat' })).offered).toEqual([]);
      await rules.set({ tool, ...everywhere, companionId: 'mira' }, false);
      expect(await call(permitted, turn('Send a note to Bob'))).toMatchObject({
        ok: false,
        offered: [],
        asked: [],
      });
      await rules.remove({ tool, ...everywhere, companionId: 'mira' });
      const { asked } = await call(permitted, turn('Send a note to Bob'));
      await rules.set({ tool, ...everywhere, companionId: 'mira' }, false);
      const late = await permitted.answer(speaker.personId, asked[0]!.id, 'yes');
      expect(late).toMatchObject({ status: 'failed' });
      expect(effects).toEqual([]);
    });

    it('is used once its person says yes, once, also when the process was another one', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const { asked } = await call(permitted, turn('Send a note to Bob'));
      const { permitted: later } = open();
      const [question] = await later.questions(speaker.personId);
      expect(question).toMatchObject({ id: asked[0]!.id, tool, arguments: { to: 'Bob' } });
      expect(question!.text).toContain('· to: `Bob`');
      const answers = await Promise.allSettled(
        [1, 2, 3].map(() => later.answer(speaker.personId, question!.id, 'yes')),
      );
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(effects).toEqual([{ to: 'Bob' }]);
      await expect(later.answer(speaker.personId, question!.id, 'yes')).rejects.toThrow(/over: done/);
      expect(await later.questions(speaker.personId)).toEqual([]);
    });

    it('is asked about until the worker of its turn withdraws it, not one that has lost the lease', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      await talk.accept(speaker, randomUUID());
      const claim = await talk.claim(speaker);
      const authority = turn('Send a note to Bob');
      const { asked } = await call(permitted, authority, 'Eve');
      await call(permitted, authority);
      await permitted.answer(speaker.personId, asked[0]!.id, 'yes');
      await permitted.withdraw({ ...claim, leaseToken: claim.leaseToken - 1 }, authority.turnId);
      expect(await permitted.questions(speaker.personId)).toHaveLength(1);
      await permitted.withdraw(claim, authority.turnId);
      expect(await permitted.questions(speaker.personId)).toEqual([]);
      // What its person said yes to is made once, also when the next try calls it again.
      await call(permitted, authority, 'Eve');
      expect(await permitted.questions(speaker.personId)).toEqual([]);
      expect(effects).toEqual([{ to: 'Eve' }]);
    });

    it('is not used on a no, on another’s yes, or after a quarter of an hour', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const [first, second] = [turn('Send a note to Bob'), turn('Send a note to Bob')];
      const turns = [first.turnId, second.turnId];
      const { asked } = await call(permitted, first);
      const stranger = await talk.place();
      await expect(permitted.answer(stranger.personId, asked[0]!.id, 'yes')).rejects.toThrow(/no question/);
      expect(await permitted.answer(speaker.personId, asked[0]!.id, 'no')).toEqual({
        status: 'declined',
        result: null,
      });
      const { asked: again } = await call(permitted, second);
      await talk.database.asSystem(
        (tx) => tx.$executeRaw`
          UPDATE tool_calls SET expires_at = now() - interval '1 second' WHERE id = ${again[0]!.id}::uuid`,
      );
      await expect(permitted.answer(speaker.personId, again[0]!.id, 'yes')).rejects.toThrow(/too old/);
      expect(await permitted.questions(speaker.personId)).toEqual([]);
      expect(await permitted.outcomes(speaker.personId, turns)).toEqual([
        `- ${tool}: they said no, so it was not done.`,
        `- ${tool}: they did not answer in time, so it was not done.`,
      ]);
      expect(await permitted.outcomes(stranger.personId, turns)).toEqual([]);
      expect(effects).toEqual([]);
    });

    it('is not used where a hook of the operator refuses it, on a yes or for who calls it themselves', async () => {
      const given: unknown[] = [];
      const act = (call: unknown) => {
        given.push(call);
        return { refuse: 'a quota', ...(given.length > 1 && { say: 'No more notes today.' }) };
      };
      const hooks = new HookList([{ name: 'quota', order: 0, onFailure: 'open', timeoutMs: 60_000, act }]);
      const { permitted, rules } = open(undefined, hooks);
      await rules.set({ tool, ...everywhere }, true);
      const authority = turn('Send a note to Bob');
      const { asked } = await call(permitted, authority);
      expect(await permitted.answer(speaker.personId, asked[0]!.id, 'always')).toEqual({
        status: 'failed',
        result: 'A rule of the operator does not allow this.',
      });
      const itself = { arguments: { to: 'Eve' }, confirm: true };
      await expect(permitted.run({ personId: speaker.personId, place }, tool, itself)).rejects.toMatchObject({
        code: 'forbidden',
        message: 'No more notes today.',
      });
      const { personId, conversationId } = speaker;
      expect(given).toMatchObject([
        { personId, conversationId, turnId: authority.turnId, texts: [], tool, arguments: { to: 'Bob' } },
        { personId, conversationId: null, turnId: null, texts: [], tool, arguments: { to: 'Eve' } },
      ]);
      expect(effects).toEqual([]);
      // Who said always did not allow anything.
      expect((await call(permitted, turn('Send a note to Bob'))).asked).toHaveLength(1);
    });

    it('is not left under way where it can not be begun after a yes', async () => {
      class BrokenHooks extends HookList {
        override has(): boolean {
          throw new Error('broken');
        }
      }
      const { permitted, rules } = open(undefined, new BrokenHooks());
      await rules.set({ tool, ...everywhere }, true);
      const authority = turn('Send a note to Bob');
      const { asked } = await call(permitted, authority);
      const told = { status: 'failed', result: 'It was not begun; ask again.' };
      expect(await permitted.answer(speaker.personId, asked[0]!.id, 'yes')).toEqual(told);
      expect(await permitted.outcomes(speaker.personId, [authority.turnId])).toEqual([
        expect.stringContaining('It was not begun'),
      ]);
      // The turn is taken again, after a crash.
      expect((await call(permitted, authority)).content).toContain('It was not begun');
      expect(effects).toEqual([]);
    });

    it('waits with five questions at most: the oldest gives way', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const ids: string[] = [];
      const turns = Array.from({ length: 6 }, () => turn('Send a note to Bob'));
      for (const one of turns) ids.push((await call(permitted, one)).asked[0]!.id);
      // A later try asks for the oldest of the five once more.
      await call(permitted, turns[1]!);
      expect((await permitted.questions(speaker.personId)).map(({ id }) => id)).toEqual(ids.slice(1));
      await expect(permitted.answer(speaker.personId, ids[0]!, 'yes')).rejects.toThrow(/over: expired/);
      expect(effects).toEqual([]);
    });

    it('is put to its person in one order everywhere, whichever call came first', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const authority = turn('Send a note to Bob');
      const first = await call(permitted, authority, 'Bob');
      const second = await call(permitted, authority, 'Eve');
      // A later try makes the same calls the other way round.
      const runner = await permitted.runnerFor(authority, []);
      for (const to of ['Eve', 'Bob']) await runner.run({ id: 'c', name: tool, arguments: { to } }, context);
      const ids = [...first.asked, ...second.asked].map(({ id }) => id);
      expect(runner.questions.map(({ id }) => id)).toEqual(ids);
      expect((await permitted.questions(speaker.personId)).map(({ id }) => id)).toEqual(ids);
    });

    it('is one call in whatever order its arguments are written, at any depth', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const runner = await permitted.runnerFor(turn('Send a note to Bob'), []);
      for (const to of [
        { name: 'Bob', note: 'Hi' },
        { note: 'Hi', name: 'Bob' },
      ])
        await runner.run({ id: 'c', name: tool, arguments: { to } }, context);
      expect(runner.questions).toHaveLength(1);
    });

    it('is not used while its companion is paused, on a yes or for who calls it themselves', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const { asked } = await call(permitted, turn('Send a note to Bob'));
      const paused = toolsOver(
        talk.database,
        [effectTool(tool, effects, ['send a note'])],
        new HookList(),
        pino({ level: 'silent' }),
        () => Promise.resolve(true),
      ).permitted;
      expect(await paused.answer(speaker.personId, asked[0]!.id, 'yes')).toMatchObject({
        status: 'failed',
        result: expect.stringContaining('is paused'),
      });
      const given = { arguments: { to: 'Bob' }, confirm: true };
      await expect(paused.run({ personId: speaker.personId, place }, tool, given)).rejects.toThrow(
        /is paused/,
      );
      expect(effects).toEqual([]);
    });
  });
}
