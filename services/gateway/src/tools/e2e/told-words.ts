import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { HookList } from '@kith/llm';
import pino from 'pino';
import { effectTool, toolsOver } from '../testing-tools.js';
import type { Tool } from '../tool.js';
import { talk, everywhere, place, tool, effects, speaker, open, turn, call } from './open-tools.js';

/** Tests which words are kept, shown and logged of a call. */
export function toldWords(): void {
  describe('what no store can hold', () => {
    it('is not in a question to the person either', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const { asked } = await call(permitted, turn('Send a note to Bob'), 'B\0ob\ud800');
      expect(asked).toMatchObject([{ tool, arguments: { to: 'Bob\ufffd' } }]);
    });

    it.each([
      { ends: 'done', tell: async (words: string) => words },
      { ends: 'failed', tell: (words: string) => Promise.reject(new Error(words)) },
    ])('is left out of what a call told that is $ends', async ({ ends, tell }) => {
      const odd: Tool = { ...effectTool(tool, effects), call: () => tell('\0a\0b\ud800') };
      const { permitted, rules } = open([odd]);
      await rules.set({ tool, ...everywhere }, true);
      const given = { arguments: { to: 'Bob' }, confirm: true };
      const outcome = await permitted.run({ personId: speaker.personId, place }, tool, given);
      expect(outcome).toEqual({ status: ends, result: expect.stringMatching(/(^|: )ab\ufffd$/) });
      const rows = await talk.database.asSystem(
        (tx) => tx.$queryRaw`SELECT status, result FROM tool_calls WHERE tool = ${tool}`,
      );
      expect(rows).toEqual([outcome]);
    });

    it('is not left behind by a cut in what a call told', async () => {
      const long: Tool = { ...effectTool(tool, effects), call: async () => `${'x'.repeat(3_999)}😀` };
      const { permitted, rules } = open([long]);
      await rules.set({ tool, ...everywhere }, true);
      const given = { arguments: { to: 'Bob' }, confirm: true };
      const { result } = await permitted.run({ personId: speaker.personId, place }, tool, given);
      expect(result).toBe('x'.repeat(3_999));
    });
  });

  describe('the log of a call that failed', () => {
    it('names the failure, and quotes no word of it', async () => {
      const lines: string[] = [];
      const logger = pino({}, { write: (line: string) => void lines.push(line) });
      const cause = Object.assign(new Error('Ann wrote: I love Bob'), { code: -32_602 });
      const failure = new AppError('invalid_request', 'no note “I love Bob”', { answered: 422 }, { cause });
      const failing: Tool = { ...effectTool(tool, effects), call: () => Promise.reject(failure) };
      const { permitted, rules } = toolsOver(talk.database, [failing], new HookList(), logger);
      await rules.set({ tool, ...everywhere }, true);
      const given = { arguments: { to: 'Bob' }, confirm: true };
      const { result } = await permitted.run({ personId: speaker.personId, place }, tool, given);
      expect(result).toContain('I love Bob');
      expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
        expect.objectContaining({ tool, reason: 'AppError invalid_request 422 by Error -32602' }),
      );
      expect(lines.join('')).not.toContain('love');
    });
  });
}
