import { describe, expect, it } from '@jest/globals';
import type { ModelTry } from '@kith/llm';
import { outcomeOf } from './turn-outcome.js';

const NO_MODEL = 'no chat model answered: a:b timeout';

describe('the outcome of an outreach without a text', () => {
  const after = (...kinds: ModelTry['kind'][]) => {
    const tries = kinds.map((kind) => ({ model: 'a:b', kind, tookMs: 1 }));
    return outcomeOf(null, { problem: NO_MODEL, tries }, 'outreach');
  };

  it('passes where no model answered', () => {
    expect(after('unreachable', 'circuit-open')).toEqual({
      ...{ outcome: 'dropped', reason: 'no-model', reply: null },
    });
    expect(after()).toMatchObject({ reason: 'no-model' });
  });

  it("is final where an operator's hook refused", () => {
    expect(after('hook')).toMatchObject({ outcome: 'dropped', reason: NO_MODEL });
  });
});
