import { describe, expect, it } from '@jest/globals';
import { planFacts } from './plan-facts.js';
import { readByRules } from './read-by-rules.js';

/** Lists the wishes that hold in the end, of lines said one after the other. */
function wishedAfter(...texts: string[]): string[] {
  const lines = texts.map((text, n) => ({
    ...{ id: `${n}`, text, saidAt: new Date(Date.UTC(2026, 0, 1 + n)), sources: [`m${n}`] },
    ...{ speaker: 'Ann', turnId: null, audience: 'direct' },
  }));
  const { facts } = planFacts('direct', [], lines, ({ text }) => readByRules({ text }));
  return facts.filter(({ fact }) => fact.validTo === null).map(({ fact }) => fact.value);
}

describe('a wish in another language than English', () => {
  it.each([
    ['Antworte immer auf Deutsch', 'Du musst nicht mehr auf Deutsch antworten'],
    ['Antworte immer auf Deutsch', 'Ok, du musst mir nicht mehr auf Deutsch antworten.'],
    ['Antworte immer auf Deutsch', 'Hör auf, auf Deutsch zu antworten'],
    ['Ab jetzt sieze mich', 'Du kannst aufhören, mich zu siezen'],
    ['Ab jetzt duze mich', 'Du brauchst mich nicht mehr zu duzen'],
    ['Gib mir immer Ratschläge', 'Du musst mir keine Ratschläge mehr geben'],
    ['Benutze immer Emojis', 'Hör auf, Emojis zu benutzen'],
    ['Erwähne Tom immer', 'Du brauchst Tom nicht mehr zu erwähnen'],
    ['Siempre responde con humor', 'Ya no hace falta que respondas con humor'],
    ['Siempre responde con humor', 'No hace falta que respondas con humor más'],
    ['Siempre háblame en alemán', 'Ya no tienes que hablarme en alemán'],
    ['A partir de ahora habla en alemán', 'Puedes dejar de hablar en alemán'],
    ['Désormais, réponds en français', 'Tu n’as plus besoin de répondre en français'],
    ['Mentionne toujours mon chien', 'Tu peux arrêter de mentionner mon chien'],
    ['Utilise toujours des emojis', 'Arrête d’utiliser des emojis'],
    ['A partir de agora, responda em português', 'Você não precisa mais responder em português'],
    ['Sempre mencione o meu cão', 'Pode parar de mencionar o meu cão'],
  ])('ends where it is taken back: %s, then %s', (wish, taken) => {
    expect(wishedAfter(wish)).toEqual([wish]);
    expect(wishedAfter(wish, taken)).toEqual([]);
  });

  it.each([
    ['Erwähne Tom nie wieder', 'Du darfst Tom wieder erwähnen'],
    ['Sprich nie über Tom', 'Du darfst wieder über Tom sprechen'],
    ['Gib mir nie Ratschläge', 'Du kannst mir wieder Ratschläge geben'],
    ['Benutze nie Emojis', 'Du darfst wieder Emojis benutzen'],
    ['Ab jetzt antworte mir bitte auf Deutsch', 'Du kannst wieder auf Englisch antworten'],
    ['Nunca menciones a mi ex', 'Ya puedes volver a mencionar a mi ex'],
    ['Nunca menciones a mi ex', 'Puedes mencionar a mi ex otra vez'],
    ['Nunca uses groserías', 'Puedes volver a usar groserías'],
    ['Ne mentionne jamais Tom', 'Tu peux de nouveau mentionner Tom'],
    ['Ne mentionne jamais Tom', 'Tu peux recommencer à mentionner Tom'],
    ['Nunca use gírias', 'Você pode voltar a usar gírias'],
    ['Nunca use gírias', 'Pode usar gírias de novo'],
  ])('ends where that is allowed again: %s, then %s', (wish, taken) => {
    expect(wishedAfter(wish)).toEqual([wish]);
    expect(wishedAfter(wish, taken)).toEqual([]);
  });

  it.each([
    ['Sag mir immer die Wahrheit', 'Vergiss die Regel mit der Wahrheit'],
    ['Nunca menciones a Tom', 'Olvida la regla sobre Tom'],
    ['Ne mentionne jamais Tom', 'Oublie la règle sur Tom'],
    ['Nunca mencione o Tom', 'Esqueça a regra sobre o Tom'],
  ])('ends with its rule: %s, then %s', (wish, taken) => {
    expect(wishedAfter(wish)).toEqual([wish]);
    expect(wishedAfter(wish, taken)).toEqual([]);
  });

  it.each([
    ['Erwähne Tom nie wieder', 'Du kannst Mia wieder erwähnen'],
    ['Erwähne Tom nie wieder', 'Du darfst Will wieder erwähnen'],
    ['Erwähne immer Tom', 'Hör auf, Tom'],
    ['Erwähne immer Tom', 'Du musst Tom nicht mehr besuchen'],
    ['Antworte immer auf Deutsch', 'Du musst nicht mehr antworten'],
    ['Antworte immer auf Deutsch', 'Du musst mein Deutsch nicht mehr korrigieren'],
    ['Antworte immer auf Deutsch', 'Du kannst mir wieder deutsche Gedichte zeigen'],
    ['Antworte immer auf Deutsch', 'Ich muss nicht mehr auf Deutsch antworten'],
    ['Antworte immer auf Deutsch', 'Du musst auf Deutsch antworten'],
    ['Antworte immer auf Deutsch', 'Sie sagte, du musst nicht mehr auf Deutsch antworten'],
    ['Siempre menciona a Tom', 'Ya no necesitas a Tom'],
    ['Siempre menciona mi casa', 'Ya puedes volver a casa'],
    ['Siempre háblame en alemán', 'Puedes volver a hablar con Tom en alemán'],
    ['Siempre responde en alemán', 'Ya no hace falta que traduzcas al alemán'],
    ['Nunca menciones a Tom', 'Ya no hace falta que menciones a Tom'],
    ['Mentionne toujours Tom', 'Tu n’as plus besoin de Tom'],
    ['Ne mentionne jamais Tom', 'Tu peux mentionner Paul à nouveau'],
    ['Réponds toujours en allemand', 'Tu peux recommencer à parler d’allemand'],
    ['Sempre mencione o Tom', 'Você não precisa mais de Tom'],
    ['Nunca mencione o Tom', 'Já não precisa de mencionar o Tom'],
  ])('stays where something else is said: %s, then %s', (wish, other) => {
    expect(wishedAfter(wish, other)).toEqual([wish]);
  });
});
