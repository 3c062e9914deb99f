import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { ToolCallRecords } from '../permission/tool-call-records.js';
import { effectTool } from '../testing-tools.js';
import { declareTool, type Tool } from '../tool.js';
import type { ToolRunner } from '../tool-runner.js';
import { talk, everywhere, place, context, tool, effects, speaker, open, turn, call } from './open-tools.js';

/** Tests calls that an earlier try of their turn made. */
export function repeatedCalls(): void {
  describe('a tool that changes something', () => {
    it('ends as it did first where two workers made it', async () => {
      const records = new ToolCallRecords(talk.database);
      const { turnId, personId, conversationId } = turn('Send a note to Bob');
      const made = { key: turnId, personId, conversationId, turnId, tool, pin: 'pin', place, arguments: {} };
      const { id } = (await records.begin(made)).call;
      await records.end(personId, id, 'done', 'it is sent');
      await records.end(personId, id, 'failed', 'no answer');
      expect(await records.find(personId, turnId)).toMatchObject({ status: 'done', result: 'it is sent' });
    });

    it.each([
      { isRepeatable: true, made: 2 },
      { isRepeatable: false, made: 1 },
    ])('that was broken off is made again with its key, where keys are known: $isRepeatable', async (one) => {
      const keys: string[] = [];
      const call = async (_: unknown, { key }: { key: string }) => {
        keys.push(key);
        // The process dies before it is told; the next one goes on.
        return keys.length === 1 ? new Promise<string>(() => undefined) : 'done';
      };
      const odd = { ...effectTool(tool, effects, ['send a note']), isRepeatable: one.isRepeatable, call };
      const reading: Tool = { ...odd, traits: { ...odd.traits, changes: 'nothing' } };
      const { permitted, rules } = open([reading]);
      await rules.set({ tool, ...everywhere }, true);
      const authority = turn('Send a note to Bob');
      const asked = { id: 'c', name: tool, arguments: { to: 'Bob' } };
      void (await permitted.runnerFor(authority, [])).run(asked, context);
      await eventually('the call to be under way', () => keys.length === 1);
      const again = await (await open([reading]).permitted.runnerFor(authority, [])).run(asked, context);
      expect(again.ok).toBe(one.isRepeatable);
      expect(keys).toHaveLength(one.made);
      expect(new Set(keys).size).toBe(1);
    });

    it('that an earlier try of its turn made is told as what it was, whatever refuses it now', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const { asked } = await call(permitted, turn('Send a note to Bob'));
      await permitted.answer(speaker.personId, asked[0]!.id, 'always');
      const authority = turn('Send a note to Bob');
      await call(permitted, authority);
      const retold = async (runner: ToolRunner, to = 'Bob', refusal: string | null = null) =>
        runner.run({ id: 'c', name: tool, arguments: { to } }, context, {
          refusal,
          earlier: { state: 'planned' },
        });
      const [hooked, gone, late] = await Promise.all([
        permitted.runnerFor(authority, []),
        open([]).permitted.runnerFor(authority, []),
        permitted.runnerFor({ ...authority, isPresent: false }, []),
      ]);
      await rules.set({ tool, ...everywhere }, false);
      const denied = await permitted.runnerFor(authority, []);
      const all = (to?: string) =>
        Promise.all([
          retold(hooked, to, 'A hook refuses.'),
          retold(gone, to),
          retold(late, to),
          retold(denied, to),
        ]);
      for (const told of await all())
        expect(told).toMatchObject({ ok: true, content: expect.stringContaining(`did ${tool}`) });
      await talk.database.asSystem(
        (tx) => tx.$executeRaw`UPDATE tool_calls SET status = 'running', result = NULL WHERE tool = ${tool}`,
      );
      for (const told of await all())
        expect(told).toMatchObject({
          ok: false,
          mayBeDone: true,
          content: expect.stringContaining('may have happened'),
        });
      // No call was noted, so none was made.
      expect((await all('Eve')).map(({ mayBeDone }) => mayBeDone ?? false)).toEqual(Array(4).fill(false));
      expect(effects).toHaveLength(2);
    });
  });

  describe('a call that meets no answer', () => {
    /** A tool that answers nothing until it is broken off. */
    const silent = (changes: 'nothing' | 'outside', tries: string[]): Tool => {
      const { definition, traits } = declareTool(tool, 'Waits.', {}, { reads: ['outside'], changes });
      return {
        definition,
        traits: { ...traits, allowedBy: 'operator', asks: ['do it'] },
        isRepeatable: true,
        call: async (_, { key, signal }) => {
          tries.push(key);
          if (tries.length > 1) return 'the page';
          if (changes === 'outside') throw new AppError('unavailable', 'its host does not answer');
          await new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('late'))),
          );
          return '';
        },
      };
    };

    it('as its turn was overtaken is made again by the next try, with its key, where it may be asked again', async () => {
      const tries: string[] = [];
      const { permitted, rules } = open([silent('nothing', tries)]);
      await rules.set({ tool, ...everywhere }, true);
      const authority = turn('Do it');
      const ending = new AbortController();
      const runner = await permitted.runnerFor(authority, []);
      const call = { id: 'c', name: tool, arguments: {} };
      const broken = runner.run(call, { key: 'k', signal: ending.signal });
      await eventually('the call', () => tries.length === 1);
      ending.abort();
      expect(await broken).toMatchObject({ ok: false });
      const again = await (await permitted.runnerFor(authority, [])).run(call, context);
      expect(again).toMatchObject({ ok: true, content: expect.stringContaining('the page') });
      expect(new Set(tries).size).toBe(1);
    });

    it('is told as one that may have happened, where it changes something', async () => {
      const { permitted, rules } = open([silent('outside', [])]);
      await rules.set({ tool, ...everywhere }, true);
      const authority = turn('Do it');
      const { asked } = await call(permitted, authority);
      const { result } = await permitted.answer(speaker.personId, asked[0]!.id, 'always');
      expect(result).toBe('It may have happened, but no answer says so: its host does not answer');
      // The turn is taken again, and the call is not made again.
      expect(await call(permitted, authority)).toMatchObject({ ok: false, mayBeDone: true });
    });
  });
}
