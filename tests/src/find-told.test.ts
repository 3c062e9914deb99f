import { describe, expect, it } from '@jest/globals';
import { findTold, findUnheard, retell, type ForgottenWord } from '../canary/find-told.ts';
import { countQuestions, FORGETTING_KINDS, planForgettings } from '../canary/forgetting-kinds.ts';

const WORD = 'zorb1x123456';
const gone: ForgottenWord = { word: WORD, kind: 'forgotten by id', place: 'DM', goneFrom: 1, backFrom: null };
const undone: ForgottenWord = { ...gone, kind: 'forgotten and undone', backFrom: 2 };
const holding = { where: 'a prompt, asked by HTTP', text: `They said ${WORD}.` };
const clean = { where: 'a prompt, asked by DM', text: 'They said hello.' };

describe('what was forgotten', () => {
  it('may stand in prompts from before', () => {
    expect(findTold([gone], { prompts: [holding, clean], tellings: [clean] })).toEqual([]);
  });

  it('is a breach in a prompt since, once for each door', () => {
    const prompts = [clean, holding, holding];
    expect(findTold([gone], { prompts, tellings: [] })).toEqual([
      { kind: 'forgotten by id', place: 'DM', word: WORD, where: 'a prompt, asked by HTTP' },
    ]);
  });

  it('is a breach in an answer, whatever its case', () => {
    const tellings = [{ where: 'GET /v1/memories', text: WORD.toUpperCase() }];
    expect(findTold([gone], { prompts: [], tellings })).toMatchObject([{ where: 'GET /v1/memories' }]);
  });

  it('is gone until it is undone, and has to be back then', () => {
    const tellings = [holding];
    expect(findTold([undone], { prompts: [holding, clean, holding], tellings })).toEqual([]);
    expect(findTold([undone], { prompts: [holding, holding, holding], tellings })).toHaveLength(1);
    expect(findTold([undone], { prompts: [holding, clean, clean], tellings: [] })).toMatchObject([
      { where: 'not back in any prompt after its undo' },
      { where: 'not back in any answer after its undo' },
    ]);
  });

  it('may be told elsewhere where it is gone from some places alone', () => {
    const kept = { ...gone, where: /by HTTP/ };
    const atDiscord = { ...holding, where: 'a prompt, asked by DM' };
    const prompts = [clean, atDiscord, holding];
    expect(findTold([kept], { prompts, tellings: [atDiscord] })).toMatchObject([{ where: holding.where }]);
  });

  it('proves nothing where no prompt held it before', () => {
    expect(findUnheard([{ ...gone, isProven: true }], [clean])).toEqual([]);
    expect(findUnheard([gone], [holding])).toEqual([]);
    expect(findUnheard([gone], [clean, holding])).toEqual([gone]);
  });
});

describe('the scripted model', () => {
  it('names what it was asked, and every word it was shown', () => {
    const messages = [{ text: `[f1] it is ${WORD}` }, { text: '[f2] which word?' }];
    expect(retell(messages)).toBe(`I hear you: [f2] I think of ${WORD}.`);
    expect(retell([{ text: '[f3] hello' }])).toBe('I hear you: [f3]');
    expect(retell([{ text: '[f3] hello' }], new Map([['[f3]', WORD]]))).toContain(WORD);
  });
});

describe('the plan of what is forgotten', () => {
  it('has each kind once in a short run, told at every door', () => {
    const plan = planForgettings(FORGETTING_KINDS.length);
    expect(plan.map(({ kind }) => kind)).toEqual(FORGETTING_KINDS);
    expect(new Set(plan.map(({ place }) => place)).size).toBe(4);
  });

  it('comes to each kind at each of its doors in a long one', () => {
    const plan = planForgettings(FORGETTING_KINDS.length * 4);
    const pairs = new Set(plan.map(({ kind, place }) => `${kind.name} ${place}`));
    expect(pairs.size).toBe(FORGETTING_KINDS.reduce((sum, { places }) => sum + places.length, 0));
  });

  it('counts the questions of all doors', () => {
    const kind = (name: string) => FORGETTING_KINDS.filter((one) => one.name === name);
    const count = (name: string) => countQuestions(kind(name).map((one) => ({ kind: one, place: 'DM' })));
    expect(count('forgotten by id')).toBe(6);
    expect(count('forgotten and undone')).toBe(12);
    expect(count('told in a server that was left')).toBe(4);
  });
});
