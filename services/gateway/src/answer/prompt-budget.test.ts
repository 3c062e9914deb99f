import { describe, expect, it } from '@jest/globals';
import {
  jsonTokens,
  ModelCards,
  PICTURE_TOKENS,
  promptLimit,
  promptRoom,
  type ModelRoles,
  type ToolDefinition,
} from '@kith/llm';
import { BUILT_IN } from '../tools/turn-tools.js';
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
    const { limit, max } = budgetOf(rolesOf(128_000, 34_000), LIMITS, own);
    expect(max).toBeGreaterThan(limit);
    expect(max + jsonTokens(own) + RESULT_TOKENS + 700).toBeLessThanOrEqual(34_000 * 0.9);
    expect(budgetOf(rolesOf(128_000), { ...LIMITS, maxPromptTokens: 3_000 }, own).max).toBe(3_000);
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

  it.each([
    [['compatible:a', 8_192, 1] as const, ['compatible:b', 16_384, 1.8] as const],
    [['compatible:a', 16_384, 1.8] as const, ['compatible:b', 8_192, 0.7] as const],
    [['compatible:a', 8_192, 0.7] as const, ['openai:gpt-6.1-terra', 8_400, 1.7] as const],
    [['openai:gpt-6.1-terra', 128_000, 0.7] as const, ['compatible:b', 34_000, 1.6] as const],
    [['openai:gpt-6.1-terra', 1_000_000, 0.8] as const, ['compatible:b', 9_000, 1.7] as const],
  ])('fits each model of a chain by its own count: %j, %j', async (...chain) => {
    const models = chain.map(([model]) => model);
    const cards = new ModelCards(
      Object.fromEntries(chain.map(([model, contextTokens]) => [model, { contextTokens }])),
    );
    const { counter } = cards;
    for (const [model, , factor] of chain)
      for (let turn = 0; turn < 50; turn += 1) counter.note(model, 1_000, 1_000 * factor);
    await counter.load();
    const roles = { chat: { models }, cards } as unknown as Pick<ModelRoles, 'chat' | 'cards'>;
    const budget = budgetOf(roles, LIMITS, own);
    const ofTools = RESULT_TOKENS + jsonTokens(own);
    const words = 'The harbour was quiet, 漢字 and all, when Ida came home at 7:30. ';
    const counts = [
      { count: budget.count, ownOf: (model: string) => counter.quick(model) },
      {
        count: budget.exact ?? budget.count,
        ownOf: (model: string) => counter.exact(cards.of(model)) ?? counter.quick(model),
      },
    ];
    for (const { count, ownOf } of counts) {
      for (const [bound, allows, tools] of [
        [budget.limit, promptLimit, 0],
        [budget.max, promptRoom, ofTools],
      ] as const) {
        const pictures = Math.floor(bound / 2 / budget.pictureTokens);
        const room = bound - pictures * budget.pictureTokens;
        const text = words.repeat(Math.floor((room / count(words.repeat(100))) * 100));
        expect(count(text)).toBeLessThanOrEqual(room);
        for (const model of models) {
          const besides = pictures * PICTURE_TOKENS + tools * counter.factorOf(model);
          expect(ownOf(model)(text) + besides).toBeLessThanOrEqual(allows(cards.of(model), 700));
        }
      }
    }
    // What tools take is bounded in the same way, and so is what a turn's prompts grow to.
    for (const model of models)
      expect(budget.room * counter.factorOf(model)).toBeLessThanOrEqual(promptRoom(cards.of(model), 700));
  });

  it('is counted once for all models of a chain that share a vocabulary', () => {
    const models = ['openai:gpt-6.1-terra', 'openai:gpt-6.1-luna'];
    const cards = new ModelCards({ [models[0]!]: { contextTokens: 8_192 } });
    const counted: string[] = [];
    const count = (text: string) => counted.push(text) * 10;
    cards.counter.exact = () => count;
    const { exact } = budgetOf({ chat: { models }, cards } as unknown as ModelRoles, LIMITS);
    expect(exact!('Hello')).toBe(10);
    expect(counted).toEqual(['Hello']);
  });

  it('asks for a reply that each model of a chain can give', () => {
    const cards = new ModelCards({ 'compatible:b': { contextTokens: 128_000, maxOutputTokens: 300 } });
    const roles = { chat: { models: ['compatible:a', 'compatible:b'] }, cards };
    expect(budgetOf(roles as unknown as ModelRoles, LIMITS).replyTokens).toBe(300);
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
