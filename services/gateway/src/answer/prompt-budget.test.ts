import { describe, expect, it } from '@jest/globals';
import { jsonTokens, ModelCards, type ModelRoles, type ToolDefinition } from '@kith/llm';
import { BUILT_IN } from '../tools/built-in.js';
import { RESULT_TOKENS } from '../tools/mark-result.js';
import { plainBudget } from './testing-budget.js';
import { budgetOf, counterFor, toolsWithin } from './prompt-budget.js';

const LIMITS = { maxPromptTokens: 0, maxReplyTokens: 700 };
const own = BUILT_IN.map(({ definition }) => definition);

/** Models of the chat role: some whose contexts have so many tokens. */
function rolesOf(...contexts: number[]): Pick<ModelRoles, 'chat' | 'cards'> {
  const models = contexts.map((_, n) => (n === 0 ? 'compatible:small' : `compatible:${n}`));
  const cards = new ModelCards(
    Object.fromEntries(models.map((model, n) => [model, { contextTokens: contexts[n]! }])),
  );
  return { chat: { models }, cards } as unknown as Pick<ModelRoles, 'chat' | 'cards'>;
}

function tool(name: string, characters: number): ToolDefinition {
  return { name, description: 'x'.repeat(characters), parameters: {} };
}

describe('the budget of a prompt', () => {
  it.each([8_192, 16_384])('of %i tokens leaves room for tools, a result and the reply', (context) => {
    const { limit } = budgetOf(rolesOf(context), LIMITS, own);
    expect(limit + jsonTokens(own) + RESULT_TOKENS + 700).toBeLessThanOrEqual(context * 0.9);
    expect(limit).toBeGreaterThan(context / 3);
  });

  it('of a large context takes nothing from what is said, and has room for many tools', () => {
    const plain = budgetOf(rolesOf(128_000), { ...LIMITS, maxPromptTokens: 3_000 });
    const tools = [...own, tool('a', 100_000), tool('b', 100_000)];
    expect(toolsWithin(tools, plain)).toEqual(tools);
    expect(budgetOf(rolesOf(128_000), { ...LIMITS, maxPromptTokens: 3_000 }, tools).limit).toBe(3_000);
  });

  it('holds more than the talk may fill: what the smallest window of a chain, or the operator, allows', () => {
    const { limit, most } = budgetOf(rolesOf(128_000, 34_000), LIMITS, own);
    expect(most).toBeGreaterThan(limit);
    expect(most + jsonTokens(own) + RESULT_TOKENS + 700).toBeLessThanOrEqual(34_000 * 0.9);
    expect(budgetOf(rolesOf(128_000), { ...LIMITS, maxPromptTokens: 3_000 }, own).most).toBe(3_000);
  });

  it('has room for all of our own tools, and for those from outside as far as the talk is not crowded out', () => {
    const plain = budgetOf(rolesOf(8_192), LIMITS);
    expect(toolsWithin(own, plain)).toEqual(own);
    const chosen = toolsWithin([tool('a', 4_000), tool('b', 40_000), tool('c', 2_000)], plain);
    expect(chosen.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('counts its room as prompts are estimated, where a host counts more', () => {
    const roles = rolesOf(16_384);
    const before = budgetOf(roles, LIMITS).room;
    for (let n = 0; n < 50; n += 1) roles.cards.counter.note('compatible:small', 1_000, 1_600);
    expect(budgetOf(roles, LIMITS).room).toBeLessThan(before / 1.5);
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
