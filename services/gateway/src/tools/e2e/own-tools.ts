import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { z } from 'zod';
import { effectTool } from '../testing-tools.js';
import { declareTool, NotDone, type Tool } from '../tool.js';
import { context, tool, effects, open, turn } from './open-tools.js';

/** Tests tools of our own, and what may have come of a call that is refused. */
export function ownTools(): void {
  describe('a tool of our own', () => {
    it.each([
      { changes: 'memory' as const, tries: 2, ok: true },
      { changes: 'nothing' as const, tries: 1, ok: false },
    ])('whose answer is lost is asked again with its key where it changes $changes', async (one) => {
      const keys: string[] = [];
      const own: Tool = {
        ...declareTool('own', 'Does it.', {}, { reads: [], changes: one.changes }),
        call: async (_, { key }) => {
          keys.push(key);
          if (keys.length === 1) throw new AppError('unavailable', 'did not answer');
          return 'done';
        },
      };
      const runner = await open().permitted.runnerFor(turn('go'), [own]);
      expect(await runner.run({ id: 'c', name: 'own', arguments: {} }, context)).toMatchObject({
        ok: one.ok,
      });
      expect(keys).toEqual(Array(one.tries).fill(context.key));
    });
  });

  describe('a tool that is not offered this time', () => {
    it('changes what is known of it, and else something outside', async () => {
      const note = effectTool(tool, effects);
      const looking: Tool = { ...note, traits: { ...note.traits, name: 'look_up', changes: 'nothing' } };
      const { permitted } = open([note, looking]);
      const runner = await permitted.runnerFor(turn('go'), null);
      for (const one of [permitted, runner])
        expect([tool, 'look_up', 'gone__order', 'task_add'].map((name) => one.changesOf(name))).toEqual([
          'outside',
          'nothing',
          'outside',
          'memory',
        ]);
    });
  });

  describe('a tool of our own that is refused where it was called before', () => {
    const own = declareTool('own', 'Does it.', {}, { reads: [], changes: 'memory' });
    const gone = { ...own, call: () => Promise.reject(new Error('gone')) };

    it.each([
      [{ state: 'planned' as const }, true],
      [{ state: 'ended' as const, ok: false, mayBeDone: true }, true],
      [{ state: 'ended' as const, ok: false }, false],
    ])('may have had its effect before, by what was noted of it: %j', async (earlier, mayBeDone) => {
      const runner = await open().permitted.runnerFor(turn('go'), [gone]);
      const without = await open().permitted.runnerFor(turn('go'), null);
      const told = await Promise.all([
        runner.run({ id: 'c', name: 'own', arguments: {} }, context, { refusal: 'No.', earlier }),
        runner.run({ id: 'c', name: 'own', arguments: {} }, context, { earlier }),
        // No tools are offered this time.
        without.run({ id: 'c', name: 'task_add', arguments: {} }, context, { earlier }),
      ]);
      expect(told.map((one) => one.mayBeDone ?? false)).toEqual([mayBeDone, mayBeDone, mayBeDone]);
      expect(told.map(({ ok }) => ok)).toEqual([false, false, false]);
    });

    it.each([
      [new NotDone('That is kept already.'), /kept already/],
      [new AppError('conflict', 'deleted since'), /not known whether/],
    ])(
      'may have had its effect before it was refused: after a death, and after a lost answer',
      async (error, words) => {
        let answers: Error[] = [];
        const refusing: Tool = { ...own, call: () => Promise.reject(answers.shift() ?? error) };
        const runner = await open().permitted.runnerFor(turn('go'), [refusing]);
        const asked = { id: 'c', name: 'own', arguments: {} };
        const told = { ok: false, mayBeDone: true, content: expect.stringMatching(words) as unknown };
        expect(await runner.run(asked, context, { earlier: { state: 'planned' } })).toMatchObject(told);
        answers = [new AppError('unavailable', 'did not answer')];
        expect(await runner.run(asked, context)).toMatchObject(told);
        expect((await runner.run(asked, context)).mayBeDone ?? false).toBe(false);
      },
    );

    it('has had no effect where it can not read its arguments, which no try could', async () => {
      const reading: Tool = {
        ...own,
        call: async (given) => z.object({ text: z.string() }).parse(given).text,
      };
      const runner = await open().permitted.runnerFor(turn('go'), [reading]);
      const told = await runner.run({ id: 'c', name: 'own', arguments: {} }, context, {
        earlier: { state: 'planned' },
      });
      expect(told).toMatchObject({ ok: false, content: 'That did not work: ZodError. Answer without it.' });
      expect(told.mayBeDone).toBeUndefined();
    });

    it('may have had its effect where no answer comes at all', async () => {
      const silent: Tool = {
        ...own,
        call: () => Promise.reject(new AppError('unavailable', 'did not answer')),
      };
      const runner = await open().permitted.runnerFor(turn('go'), [silent]);
      expect(await runner.run({ id: 'c', name: 'own', arguments: {} }, context)).toMatchObject({
        ok: false,
        mayBeDone: true,
        content: expect.stringContaining('not known whether') as unknown,
      });
    }, 20_000);

    it('has had no effect where it was not called before', async () => {
      const runner = await open().permitted.runnerFor(turn('go'), [gone]);
      const told = await runner.run({ id: 'c', name: 'own', arguments: {} }, context, { refusal: 'No.' });
      expect(told).toMatchObject({ ok: false, content: 'No.' });
      expect(told.mayBeDone).toBeUndefined();
    });
  });
}
