import { describe, expect, it } from '@jest/globals';
import { ModelCards, type ModelRoles, type ToolDefinition } from '@kith/llm';
import { BUILT_IN } from '../tools/built-in.js';
import { RESULT_TOKENS } from '../tools/mark-result.js';
import { plainBudget } from './testing-budget.js';
import { budgetOf, counterFor, toolsWithin } from './prompt-budget.js';

const LIMITS = { maxPromptTokens: 0, maxReplyTokens: 700 };
const own = BUILT_IN.map(({ definition }) => definition);

/** Models of the chat role: one whose context has so many tokens. */
function rolesOf(contextTokens: number): Pick<ModelRoles, 'chat' | 'cards'> {
  const model = 'compatible:small';
  const cards = new ModelCards({ [model]: { contextTokens } });
  return { chat: { models: [model] }, cards } as unknown as Pick<ModelRoles, 'chat' | 'cards'>;
}

function tool(name: string, characters: number): ToolDefinition {
  return { name, description: 'x'.repeat(characters), parameters: {} };
}

describe('the budget of a prompt', () => {
  it.each([8_192, 16_384])('of %i tokens leaves room for tools, a result and the reply', (context) => {
    const plain = budgetOf(rolesOf(context), LIMITS);
    const { limit, room } = budgetOf(rolesOf(context), LIMITS, own);
    const rest = plain.limit - limit;
    expect(limit + rest + RESULT_TOKENS + 700).toBeLessThanOrEqual(context);
    expect(rest).toBeGreaterThan(700);
    expect(limit).toBeGreaterThan(context / 3);
    expect(room + 700).toBeLessThanOrEqual(context * 0.9);
  });

  it('stays within what the operator allows', () => {
    const { limit } = budgetOf(rolesOf(8_192), { ...LIMITS, maxPromptTokens: 3_000 }, [tool('a', 2_000)]);
    expect(limit).toBeGreaterThan(2_400);
    expect(limit).toBeLessThan(2_600);
  });

  it('has room for all of our own tools, and for those from outside as far as the talk is not crowded out', () => {
    const { limit } = budgetOf(rolesOf(8_192), LIMITS);
    expect(toolsWithin(own, limit)).toEqual(own);
    const chosen = toolsWithin([tool('a', 4_000), tool('b', 40_000), tool('c', 2_000)], limit);
    expect(chosen.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('is counted exactly where pictures, or many short lines, make it tight', () => {
    const budget = { ...plainBudget(6_000), exact: () => 0 };
    const picksExact = (lines: number, besides: number) =>
      counterFor(
        ['Hello'],
        Array.from({ length: lines }, () => ({ content: 'ok' })),
        besides,
        budget,
      ) === budget.exact;
    expect([picksExact(0, 0), picksExact(0, 1_500), picksExact(0, 4_800)]).toEqual([false, false, true]);
    expect([picksExact(500, 0), picksExact(1_000, 0)]).toEqual([false, true]);
  });
});
