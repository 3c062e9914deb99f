import { describe, expect, it } from '@jest/globals';
import type { TurnOrigin } from '@kith/contracts';
import { finishTurn, type ModelAnswer, type TurnInputs } from './finish-turn.js';
import { plainBudget } from './testing-budget.js';

const AT = new Date('2026-03-01T12:00:00Z');
const ENDED = new Date('2026-03-01T12:00:02Z');

function inputs(origin: TurnOrigin = 'message', changes: Partial<TurnInputs> = {}): TurnInputs {
  return {
    claim: { burst: [{ origin }], claimedAt: AT, leaseToken: 1 },
    turnId: 'turn',
    personName: 'Ann',
    startedAt: AT,
    findings: null,
    pictures: 0,
    composeMs: 3,
    context: {
      companion: { id: 'mira', name: 'Mira' },
      degraded: ['memory'],
      recalled: [],
      mood: null,
      contradictions: [],
      epoch: null,
    },
    prompt: { from: 7n, fullness: 0.5, room: 3_000, talk: 1_500, isOver: false, messages: [], tokens: {} },
    budget: plainBudget(6_000),
    quoted: [{ name: 'Bea', text: 'hello', sources: [], lineIds: [5n], keys: [], isOwn: false }],
    inEveryPrompt: [
      { id: 'wish', text: 'Never mention Carla.', sources: ['m1'] },
      { id: 'task', text: 'Book the dentist.', sources: ['m2'] },
    ],
    ...changes,
  } as unknown as TurnInputs;
}

const NO_MODEL = 'no chat model answered: a:b timeout';

function answer(text: string | null, changes: Partial<ModelAnswer> = {}): ModelAnswer {
  return {
    thought: {
      text,
      model: 'a:b',
      tokens: 9,
      cost: 0,
      problem: text === null ? NO_MODEL : null,
      tries: [],
      tools: [],
      effects: { done: new Set<string>(), unsure: new Set<string>() },
      bound: null,
      last: null,
      firstTokenMs: 40,
    },
    text,
    silence: null,
    refusal: null,
    questions: [],
    shown: [{ id: 'passage', sources: ['m3'] }],
    ...changes,
  };
}

describe('the account of a turn', () => {
  it('tells what was answered, and from which line on its prompt told the talk', () => {
    const turn = finishTurn(inputs(), answer('Hello, Ann.'), ENDED);
    expect(turn).toMatchObject({
      turnId: 'turn',
      outcome: 'answered',
      reply: 'Hello, Ann.',
      companionName: 'Mira',
      toldFrom: 7n,
      degraded: ['memory'],
      model: 'a:b',
      rehearsal: false,
      startedAt: AT,
      endedAt: ENDED,
      details: {
        view: { epoch: null, from: '7', quoted: ['5'] },
        timings: { composeMs: 3, firstTokenMs: 40 },
      },
    });
  });

  it('names of what is in every prompt only what the reply repeats', () => {
    const shownIn = (reply: string | null) =>
      (finishTurn(inputs(), answer(reply), ENDED).details['alsoShown'] as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(shownIn('Hello, Ann.')).toEqual(['passage']);
    expect(shownIn('Is it Carla again?')).toEqual(['passage', 'wish']);
  });

  it('puts questions about tools below the reply', () => {
    const questions = [{ id: 'q', tool: 'mail', text: 'May I send the mail?' }] as ModelAnswer['questions'];
    const { reply } = finishTurn(inputs(), answer('Sure.', { questions }), ENDED);
    expect(reply).toBe('Sure.\n\nMay I send the mail?');
  });

  it('is an apology where no model answered, and notes the model as missing', () => {
    const turn = finishTurn(inputs(), answer(null), ENDED);
    expect(turn).toMatchObject({ outcome: 'apologised', reason: NO_MODEL, degraded: ['memory', 'model'] });
  });

  it('is silent where the companion had only words that press', () => {
    const turn = finishTurn(inputs('outreach'), answer(null, { silence: 'guilt' }), ENDED);
    expect(turn).toMatchObject({ outcome: 'silent', reason: 'guilt', reply: null, degraded: ['memory'] });
  });

  it('has the words of the hook that refused the reply', () => {
    const refusal = { reason: 'hook:h: policy' as const, say: 'I would rather not.', hasFailed: false };
    const turn = finishTurn(inputs(), answer('Something else.', { refusal }), ENDED);
    expect(turn).toMatchObject({
      outcome: 'apologised',
      reason: 'hook:h: policy',
      reply: 'I would rather not.',
    });
  });

  it('ends the epoch after it where the next prompt has hardly room, unless it was ended for this one', () => {
    const full = { ...inputs().prompt, tokens: { said: 10 }, talk: 2_980 } as TurnInputs['prompt'];
    const endsAfter = (changes: Partial<TurnInputs>) =>
      'nextTalkTokens' in finishTurn(inputs('message', { prompt: full, ...changes }), answer('Yes.'), ENDED);
    expect(endsAfter({})).toBe(true);
    expect(endsAfter({ findings: {} as TurnInputs['findings'] })).toBe(false);
    expect(endsAfter({ prompt: { ...full, talk: 1_500 } })).toBe(false);
  });
});
