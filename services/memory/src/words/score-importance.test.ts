import { describe, expect, it } from '@jest/globals';
import { scoreImportance } from './score-importance.js';

describe('importance', () => {
  it.each(['ok', 'lol', 'hi!', '🎉', 'what time is it?'])('is least for small talk: %s', (text) => {
    expect(scoreImportance(text)).toBe(1);
  });

  it('rises from a remark over a preference to what turns a life', () => {
    const remark = scoreImportance('the weather was fine on the way here');
    const preference = scoreImportance('I love hiking in the mountains with my dog');
    const turn = scoreImportance(
      "My mother was diagnosed with cancer on Friday and I'm scared. I moved to Lyon to be with her, and I don't know how to tell my brother about it yet.",
    );
    expect(remark).toBeLessThan(preference);
    expect(preference).toBeLessThan(turn);
  });

  it('stays between 1 and 10', () => {
    const everything =
      "I'm married, my mother died, I love you, I promise, I'm scared, on Friday with Anna. ".repeat(20);
    expect(scoreImportance(everything)).toBe(10);
    expect(scoreImportance('')).toBe(1);
  });

  it('counts a name in the middle of a sentence, not the capital at its start', () => {
    expect(scoreImportance('we met Anna there')).toBeGreaterThan(scoreImportance('We met there'));
  });

  it.each([
    ['Es regnet hier schon den ganzen Tag', 'Meine Mutter ist im Krankenhaus und ich habe Angst'],
    ['Hoy hace mucho frío en la calle', 'Mi padre murió y tengo miedo'],
    ['Il pleut encore dans la rue', 'Ma mère est à l’hôpital et j’ai peur'],
    ['O tempo hoje está muito feio', 'Minha mãe está no hospital e tenho medo'],
  ])('weighs what matters in other languages: %s', (remark, turn) => {
    expect(scoreImportance(turn)).toBeGreaterThan(scoreImportance(remark) + 2);
  });
});
