import { describe, expect, it } from '@jest/globals';
import { readQuestion, tellsWhen } from './read-question.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const other = (name: string) => ({ name, isOwn: false });
const SPEAKERS = [other('Ann'), other('Bo Li')];

describe('readQuestion', () => {
  it('takes the names of those who spoke out of the words to look for', () => {
    const question = readQuestion('Where did Ann buy the violin?', SPEAKERS, NOW);
    expect(question).toMatchObject({ terms: ['bui', 'violin'], about: ['Ann'] });
  });

  it('knows who asks about themselves, and who asks for advice', () => {
    const traits = ['How many plants do I have?', 'Can you suggest a book?', 'Where did Ann live?'].map(
      (asked) => {
        const { isOfSelf, asksAdvice } = readQuestion(asked, SPEAKERS, NOW);
        return [isOfSelf, asksAdvice];
      },
    );
    expect(traits).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('is about the asker under all of their names, whichever of them it says', () => {
    const own = (name: string) => ({ name, isOwn: true });
    const names = [own('Ann'), own('nightowl'), other('Bo')];
    const aboutOf = (asked: string) => readQuestion(asked, names, NOW).about;
    expect(aboutOf('What did Ann buy?')).toEqual(['Ann', 'nightowl']);
    expect(aboutOf('What did nightowl buy?')).toEqual(['nightowl', 'Ann']);
    expect(aboutOf('Is Ann nightowl?')).toEqual(['Ann', 'nightowl']);
    expect(aboutOf('What did Bo buy?')).toEqual(['Bo']);
    expect(aboutOf('What did Ann and Bo buy?')).toBeNull();
    expect(aboutOf('What did she buy?')).toBeNull();
  });

  it('takes no common word for a name, as display names have them', () => {
    const read = (query: string, name: string) => {
      const { terms, about } = readQuestion(query, [other(name)], NOW);
      return [terms, about];
    };
    expect(read('which coffee do I like?', 'Coffee Addict')).toEqual([['coffe', 'like'], null]);
    expect(read('what did Coffee say of tea?', 'Coffee Addict')).toEqual([['sai', 'tea'], ['Coffee Addict']]);
    expect(read('what did coffee addict say?', 'Coffee Addict')).toEqual([['sai'], ['Coffee Addict']]);
    const drinks = [['coffe', 'tea', 'like'], null];
    expect(read('Coffee or tea, which do I like?', 'Coffee Addict')).toEqual(drinks);
    expect(read('Hello! “Coffee or tea” - which do I like?', 'Coffee Addict')).toEqual([
      ['hello', ...drinks[0]!],
      null,
    ]);
    expect(read('COFFEE OR TEA, WHICH DO I LIKE?', 'Coffee Addict')).toEqual(drinks);
    expect(read('Coffee Addict likes tea?', 'Coffee Addict')).toEqual([['like', 'tea'], ['Coffee Addict']]);
    expect(read('where is the sea?', 'The Gamer')).toEqual([['sea'], null]);
    expect(read('does the gamer sail?', 'The Gamer')).toEqual([['sail'], ['The Gamer']]);
    expect(read('who will sail?', 'Will')).toEqual([['sail'], null]);
    expect(read('does Will sail?', 'Will')).toEqual([['sail'], ['Will']]);
    expect(read('was it dark in 2000?', 'x_Dark.Lord_2000')).toEqual([['dark', '2000'], null]);
    expect(read('小明喜欢什么？', '小明')[1]).toEqual(['小明']);
  });

  it('is about nobody when it names several, or only who never spoke', () => {
    expect(readQuestion('What do Ann and Bo share?', SPEAKERS, NOW).about).toBeNull();
    expect(readQuestion('What does Cleo like?', SPEAKERS, NOW)).toMatchObject({
      about: null,
      terms: ['cleo', 'like'],
    });
  });

  it('looks for a name when there is nothing else to look for', () => {
    expect(readQuestion('Ann?', SPEAKERS, NOW).terms).toEqual(['ann']);
  });

  it.each(['When did Ann move?', 'what year was that', 'Wann ist das Fest?', 'いつですか'])(
    'hears that %s asks for a time',
    (query) => {
      expect(readQuestion(query, SPEAKERS, NOW).asksWhen).toBe(true);
    },
  );

  it('does not take every question for one', () => {
    expect(readQuestion('What does Ann do?', SPEAKERS, NOW).asksWhen).toBe(false);
  });
});

describe('a question', () => {
  it.each([
    ['In which order did I bring up my plans?', 'order'],
    ['Can you list in order how I brought up my projects?', 'order'],
    ['How many times did I go to the beach?', 'count'],
    ['Wie oft war ich im Kino?', 'count'],
    ['¿Cuántas veces fui al mar?', 'count'],
    ['Where did I put my order of books?', null],
    ['What did I say about the sea?', null],
  ])('%s asks for all occurrences: %s', (query, asks) => {
    expect(readQuestion(query, SPEAKERS, NOW).asksAll).toBe(asks);
  });

  it.each(['Where did I live before?', 'What was my previous job?', 'What did I use to, used to do?'])(
    '%s asks what was before',
    (query) => {
      expect(readQuestion(query, SPEAKERS, NOW).asksPast).toBe(true);
    },
  );

  it.each([
    ['What do you remember about me?', true],
    ['What have I told you so far?', true],
    ['what’ve I told you already?', true],
    ['What have I told you about my boat?', false],
    ['Please forget what I told you.', false],
    ['Hey! What do you know about me so far?', true],
    ['Tell me everything you have kept about me.', true],
    ['tell me about myself', true],
    ['Who am I?', true],
    ['Was weißt du über mich?', true],
    ['¿Qué sabes de mí?', true],
    ['Que sais-tu de moi ?', true],
    ['O que você sabe sobre mim?', true],
    ['Was hast du dir von mir gemerkt?', true],
    ['Tout ce que tu sais de moi', true],
    ['What does Anna know about me?', false],
    ['I hate that all my colleagues know about me', false],
    ["I don't know who I am", false],
    ['Was will Peter von mir?', false],
    ['Alles nervt, und Tom erwartet zu viel von mir.', false],
    ['¿Por qué se ríen de mí?', false],
    ['Que pense Anna de moi ?', false],
    ['O que a Ana pensa de mim?', false],
    ['What do you remember about my dog?', false],
    ['What did Ann tell you about me and the boat?', false],
    ['What do you know about me liking tea?', false],
    ['What did I do on Friday?', false],
  ])('%s asks what is known at large: %s', (query, asks) => {
    expect(readQuestion(query, SPEAKERS, NOW).isOverview).toBe(asks);
  });

  it('asks nothing of what was, where "before" tells a time', () => {
    expect(readQuestion('What did I eat before the film?', SPEAKERS, NOW).asksPast).toBe(false);
  });
});

describe('lines', () => {
  it('that tell a time are known', () => {
    expect(['I moved last spring', 'it was in 2019', 'back in March'].map(tellsWhen)).toEqual([
      true,
      true,
      true,
    ]);
    expect(tellsWhen('I love the sea')).toBe(false);
  });
});
