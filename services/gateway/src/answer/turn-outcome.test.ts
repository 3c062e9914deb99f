import { describe, expect, it } from '@jest/globals';
import type { ModelTry } from '@kith/llm';
import { outcomeOf, refusedBy } from './turn-outcome.js';

/** Makes the effects of calls that are done, and of others that may be. */
const effectsOf = (done: string[] = [], unsure: string[] = []) => ({
  done: new Set(done),
  unsure: new Set(unsure),
});

const NO_MODEL = 'no chat model answered: a:b timeout';

describe('the outcome of an outreach without a text', () => {
  const after = (...kinds: ModelTry['kind'][]) => {
    const tries = kinds.map((kind) => ({ model: 'a:b', kind, tookMs: 1 }));
    return outcomeOf(null, { problem: NO_MODEL, tries, effects: effectsOf() }, 'outreach');
  };

  it('passes where no model answered', () => {
    expect(after('unreachable', 'circuit-open')).toEqual({
      outcome: 'dropped',
      reason: 'no-model',
      reply: null,
    });
    expect(after()).toMatchObject({ reason: 'no-model' });
  });

  it("is final where an operator's hook refused", () => {
    expect(after('hook')).toMatchObject({ outcome: 'dropped', reason: NO_MODEL });
  });
});

describe('an apology', () => {
  const broken = { reason: 'hook:h: broken' as const, say: null, hasFailed: true };
  const apologies = (...effects: string[][]) => [
    outcomeOf(null, { problem: NO_MODEL, tries: [], effects: effectsOf(...effects) }, 'message').reply,
    refusedBy(broken, 'message', effectsOf(...effects)).reply,
  ];

  it('says to try again where nothing was done', () => {
    for (const reply of apologies()) expect(reply).toMatch(/Your message is safe; please try again/);
  });

  it('names what was done, and does not ask to have that tried again', () => {
    for (const reply of apologies(['send mail', 'my notes']))
      expect(reply).toMatch(/done, so please don't ask for it again: send mail, my notes\. For the rest/);
  });

  it('says to look first where something may have been done', () => {
    const unsure = /may be done, so please look before you ask for it again: send mail\. For the rest/;
    for (const reply of apologies([], ['send mail'])) {
      expect(reply).toMatch(unsure);
      expect(reply).not.toContain('This is done');
    }
    for (const reply of apologies(['my notes'], ['send mail'])) {
      expect(reply).toMatch(/is done.*: my notes\. This may be done/);
      expect(reply).toMatch(unsure);
    }
  });
});
