import { describe, expect, it, jest } from '@jest/globals';
import { DAY_MS } from '@kith/contracts';
import { MODEL_CARDS } from './card-catalogue.js';
import { ModelCard, readCardOverrides } from './model-card.js';
import { ModelCards, promptLimit } from './model-cards.js';

describe('model cards', () => {
  it('are whole, and leave room for an answer', () => {
    for (const [, card] of MODEL_CARDS) {
      expect(ModelCard.parse(card)).toEqual(card);
      expect(promptLimit(card, 700)).toBeGreaterThan(1_000);
      expect(promptLimit(card, 700)).toBeLessThanOrEqual(50_000);
    }
  });

  it('are careful with a model that nothing is known of', () => {
    const card = new ModelCards().of('compatible:llama3:8b');
    expect(card).toMatchObject({ contextTokens: 8_192, tools: false, images: false, price: null });
    expect(promptLimit(card, 700)).toBeLessThan(8_192 - 700);
  });

  it('take the context and the price that a host lists, and a setting before them', () => {
    const { overrides } = readCardOverrides(
      '{"compatible:a":{"contextTokens":4096,"images":true,"price":{"input":5,"output":5}}}',
    );
    const cards = new ModelCards(overrides);
    const price = { input: 1, output: 2 };
    cards.noteOffered('compatible', [
      { id: 'a', contextTokens: 32_768, price },
      { id: 'b', contextTokens: 32_768, price: null },
      { id: 'c', contextTokens: 0, price },
      { id: 'gpt-oss-20b', contextTokens: null, price },
    ]);
    const tokens = { promptTokens: 1_000_000, completionTokens: 1_000_000 };
    const costs = ['a', 'b', 'c', 'gpt-oss-20b'].map((id) => cards.costOf(`compatible:${id}`, tokens));
    expect(costs).toEqual([10, null, 3, 3]);
    expect(cards.costOf('compatible:a', { ...tokens, cacheWriteTokens: 800_000 })).toBe(11);
    expect(cards.of('compatible:gpt-oss-20b').contextTokens).toBe(131_072);
    expect(cards.of('compatible:a')).toMatchObject({ contextTokens: 4_096, images: true, tools: false });
    expect(cards.of('compatible:b').contextTokens).toBe(32_768);
    expect(promptLimit(cards.of('compatible:b'), 700)).toBeGreaterThan(20_000);
    expect(cards.of('compatible:c').contextTokens).toBe(8_192);
  });

  it('learn from a prompt that was refused as too long, also against a setting, and never more than they say', () => {
    const cards = new ModelCards({ 'compatible:a': { contextTokens: 32_768 } });
    const contextAfter = (tokens: number) => {
      cards.noteTooLong('compatible:a', tokens);
      return cards.of('compatible:a').contextTokens;
    };
    expect([50_000, 6_000, 9_000, 10].map(contextAfter)).toEqual([32_768, 6_000, 6_000, 1_024]);
    expect(cards.of('compatible:b').contextTokens).toBe(8_192);
  });

  it('hold a refusal against a host for a day, and what they have learned for the next one', () => {
    const cards = new ModelCards();
    const contextTokens = () => cards.of('compatible:a').contextTokens;
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    cards.noteTooLong('compatible:a', 6_000);
    cards.noteTooLong('compatible:a', 3_000);
    now.mockReturnValue(DAY_MS - 1);
    expect(contextTokens()).toBe(3_000);
    now.mockReturnValue(DAY_MS);
    expect(contextTokens()).toBe(8_192);
    cards.noteTooLong('compatible:a', 7_000);
    expect(contextTokens()).toBe(3_000);
    now.mockRestore();
  });

  it('list the models of a chain that may answer, and the rehearsal only alone', () => {
    const asked = (...labels: string[]) => new ModelCards().answering(labels).map(({ model }) => model);
    expect(asked('openai:gpt-6.1-terra', 'rehearsal')).toEqual(['openai:gpt-6.1-terra']);
    expect(asked('openai:gpt-6.1-terra', 'compatible:tiny')).toHaveLength(2);
    expect(asked('rehearsal')).toEqual(['rehearsal']);
    expect(asked()).toEqual(['unknown']);
  });

  it.each([
    ['no', [expect.stringMatching(/^MODEL_CARDS: is no JSON such as \{/)]],
    ['[]', [expect.stringMatching(/^MODEL_CARDS: is no JSON such as \{/)]],
    [
      '{"a":{"images":1},"b":{"contextToken":9000},"c":{"price":{"input":1,"output":2,"cached":0}}}',
      [
        expect.stringMatching(/^MODEL_CARDS: a images: /),
        expect.stringMatching(/^MODEL_CARDS: b: .*"contextToken"/),
        expect.stringMatching(/^MODEL_CARDS: c price: .*"cached"/),
      ],
    ],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`m${at}`, { name: 'x' }]))),
      [
        ...Array<unknown>(10).fill(expect.stringMatching(/^MODEL_CARDS: m\d: /)),
        'MODEL_CARDS: 2 more faults',
      ],
    ],
  ])('refuse %s, each fault by the name of the setting', (json, problems) => {
    expect(readCardOverrides(json)).toEqual({ overrides: {}, problems });
  });
});
