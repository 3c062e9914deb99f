import { describe, expect, it } from '@jest/globals';
import { planFacts } from './plan-facts.js';
import { readByRules } from './read-by-rules.js';

/** Lists the wishes that hold in the end, of lines said one after the other. */
function wishedAfter(...texts: string[]): string[] {
  const lines = texts.map((text, n) => ({
    id: `${n}`,
    text,
    saidAt: new Date(Date.UTC(2026, 0, 1 + n)),
    sources: [`m${n}`],
    speaker: 'Ann',
    turnId: null,
    audience: 'direct',
  }));
  const { facts } = planFacts('direct', [], lines, ({ text }) => readByRules({ text }));
  return facts.filter(({ fact }) => fact.validTo === null).map(({ fact }) => fact.value);
}

describe('a wish that is taken back', () => {
  it.each([
    'You can stop including tool names.',
    'You don’t have to include tool names anymore.',
    'No need to include tool names any more',
    'Drop the rule about tool names',
  ])('holds no longer: %s', (taken) => {
    const kept = 'Always give dates as YYYY-MM-DD';
    expect(wishedAfter('Always include tool names when I ask about software.', kept, taken)).toEqual([kept]);
  });

  it('ends by its contrary, and by another of its manner', () => {
    expect(wishedAfter('Never mention my brother Tom', 'You can mention my brother Tom again')).toEqual([]);
    expect(wishedAfter('Never mention Tom', 'Never mention Mia', 'You can mention Mia again')).toEqual([
      'Never mention Tom',
    ]);
    expect(wishedAfter('I prefer short answers', 'I like long answers')).toEqual(['I like long answers']);
    expect(wishedAfter('I prefer tea over coffee.', 'I prefer coffee over tea these days.')).toEqual([
      'coffee over tea',
    ]);
  });

  it('is a wish itself where "stop" ends none, however often it is said', () => {
    const stop = 'Stop giving me advice';
    expect(wishedAfter('Always include tool names', stop)).toEqual(['Always include tool names', stop]);
    expect(wishedAfter(stop, `Please ${stop.toLowerCase()}`)).toEqual([stop]);
    expect(wishedAfter('When I am sad, never joke about work', 'Stop joking about work')).toHaveLength(2);
  });

  it('ends by "stop", which holds itself where that wish was on a condition', () => {
    const stop = 'Stop including tool names';
    expect(wishedAfter('Always include tool names', stop)).toEqual([]);
    expect(wishedAfter('Always include tool names when I ask about software', stop)).toEqual([stop]);
    expect(wishedAfter('When I don’t follow, include tool names', stop)).toEqual([stop]);
  });

  it('stays, or is said again, where "stop" asks for the same', () => {
    expect(wishedAfter('Always answer without using emojis', 'Stop using emojis')).toEqual([
      'Stop using emojis',
    ]);
    const never = 'In future, never joke about work';
    expect(wishedAfter(never, 'Stop joking about work')).toHaveLength(1);
    const english = 'Always answer in English';
    expect(wishedAfter(english, 'Stop answering in German')).toEqual([english, 'Stop answering in German']);
  });

  it('ends though an order follows', () => {
    const taken = 'You can stop including tool names, and greet me from now on';
    expect(wishedAfter('Always include tool names', taken)).toEqual([]);
  });

  it.each([
    ['Stop giving me advice', 'You can give me advice again'],
    ['Stop reminding me about rent', 'You can remind me about rent again'],
    ['Never swear', 'You can swear again'],
    ['Never joke about work', 'You may joke about work again'],
    ['Stop quoting poems', 'You can quote poems again'],
  ])('is allowed again: %s', (wish, again) => {
    expect(wishedAfter(wish)).toEqual([wish]);
    expect(wishedAfter(wish, again)).toEqual([]);
  });

  it.each([
    ['Stop answering in German', 'Always answer in German'],
    ['Stop answering in German', 'From now on, speak German with me'],
    ['Stop answering in German', 'Antworte immer auf Deutsch'],
    ['Stop answering briefly', 'Always answer briefly'],
    ['Stop being so formal', 'Always be formal'],
    ['Stop using metric units', 'Always use metric units'],
    ['Never use emojis', 'Always use emojis'],
    ['Never mention my weight', 'Always bring up my weight'],
  ])('ends by the contrary: %s, then %s', (before, later) => {
    expect(wishedAfter(before, later)).toEqual([later]);
    expect(wishedAfter(later, before).filter((wish) => wish !== before)).toEqual([]);
  });

  it.each([
    ['Stop answering in German', 'You can answer in German again'],
    ['Never talk to me in French', 'Okay, you can speak French again'],
    ['From now on, answer in German', 'You can answer in English again'],
    ['Always answer in Dutch', 'You don’t need to reply in Dutch anymore'],
    ['Keep your answers short', 'You can write long answers again'],
    ['Always be formal', 'You can be informal again'],
    ['Always give me code in Python', 'You can give me code in Rust again'],
    ['No emojis please', 'Feel free to use emojis again'],
    ['Never bring up my ex', 'You can talk about my ex again'],
  ])('ends by what is allowed in other words: %s, then %s', (wish, taken) => {
    expect(wishedAfter(wish)).toEqual([wish]);
    expect(wishedAfter(wish, taken)).toEqual([]);
  });

  it.each([
    ['Always answer in German', 'You can talk to Tom in German again'],
    ['Always reply in French', 'You can mention my French ex again'],
    ['Always reply in French', 'You can stop answering in German'],
    ['Never mention my French ex', 'You can answer in French again'],
    ['Never mention Tom', 'You can say that again!'],
    ['Stop answering in German', 'You can answer in French again'],
    ['Always answer in German', 'Stop speaking German to my mother'],
    ['Always answer in German', 'You don’t need to correct my German anymore'],
    ['Always answer in German', 'No need to translate German words anymore'],
    ['Always answer in German', 'You can stop translating German words'],
    ['Always answer in German', 'You can explain French grammar again'],
    ['Always answer in German', 'give me French recipes again'],
    ['Always answer in German', 'You can give me French recipes again'],
    ['Always answer in German', 'You can list my Spanish homework again'],
    ['Always answer in German', 'You can repeat the English sentence again'],
    ['Always answer in German', 'list my Spanish homework again'],
    ['Always answer in German', 'repeat the English sentence again'],
    ['Always use metric units', 'You can explain the imperial system again'],
    ['Always use metric units', 'You can repeat the Fahrenheit value again'],
    ['Always use metric units', 'repeat the Fahrenheit value again'],
    ['Always be formal', 'You can send the informal invitation again'],
    ['Keep your answers short', 'You can repeat that long sentence again'],
    ['Never use emojis', 'You can explain that emoji again'],
    ['Never use emojis', 'You can send that emoji again'],
    ['Never use emojis', 'send that emoji again'],
    ['Always tell me jokes in Spanish', 'You can answer in English again'],
  ])('stays where another subject is allowed: %s, then %s', (wish, other) => {
    expect(wishedAfter(wish, other)).toEqual([wish]);
  });

  it.each([
    ['Always answer in German', 'Stop correcting my German'],
    ['Always answer in German', 'Stop explaining German grammar'],
    ['Always answer in German', 'Stop suggesting German films'],
    ['Always answer in German', 'Stop quoting German poets'],
    ['Never talk about Tom', 'Always speak to Tom about money'],
  ])('stays beside one that only has its words: %s, then %s', (wish, other) => {
    expect(wishedAfter(wish, other)).toEqual([wish, other]);
  });

  it('stays beside a contrary on a condition', () => {
    const stop = 'Stop answering in German';
    const atWork = 'When I ask about work, answer in German';
    expect(wishedAfter(stop, atWork)).toEqual([stop, atWork]);
  });

  it('stays when something else is meant', () => {
    const wish = 'Always include tool names';
    expect(wishedAfter(wish, 'You can stop the music now', 'No need to worry anymore')).toEqual([wish]);
  });
});
