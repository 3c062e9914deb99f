import { describe, expect, it } from '@jest/globals';
import { readWords } from './plain-words.js';
import { readClauses } from './read-clauses.js';

const clauses = (text: string) => readClauses(text).clauses.map(({ words }) => words.join(' '));

describe('clauses', () => {
  it('are parted where a sentence ends or turns', () => {
    expect(clauses('I won, but my dog died. I was scared and she did it: wow')).toEqual([
      'i won',
      'but my dog died',
      'i was scared',
      'and she did it',
      'wow',
    ]);
  });

  it.each([
    'If I won the lottery, I would buy a boat',
    'imagine you were rude to me',
    'write a poem about a sad clown',
    'In my novel the hero dies',
    'translate: you are useless',
    'summarise this: I am sad',
    'rewrite my letter',
    'suppose I lost',
    'unless you were rude',
    'If anything bad happens to my mum I am lost',
  ])('leave out what is only supposed or told: %j', (text) => {
    expect(clauses(text)).toEqual([]);
  });

  it.each([
    'Supposed to start my new job tomorrow',
    'In the bookshop I lost my wallet',
    'In the film club I met my wife',
    "Writer's block again",
    'Definetly love you',
    'Iffy weather again',
    'if anything I love you more',
  ])('keep what only begins like that: %j', (text) => expect(clauses(text)).toHaveLength(1));

  it('leave out a condition behind a comma, and what would follow from it', () => {
    expect(clauses('Honestly, if you were useless, I am dead')).toEqual(['honestly']);
    expect(clauses('I am so sad, if you died')).toEqual(['i am so sad']);
    expect(clauses('My name is Ann, if that helps, and I live in Graz')).toEqual([
      'my name is ann',
      'and i live in graz',
    ]);
    expect(clauses('Sorry, if I sound sad, my dog died').at(-1)).toBe('my dog died');
    expect(clauses('She left me, if you say so, so I am sad')).toEqual(['she left me', 'so i am sad']);
  });

  it('leave out a copied talk, and no list', () => {
    expect(clauses('look\nlena: i moved\nme: wow\nlol')).toEqual(['look']);
    expect(clauses('look\nlena — Yesterday at 9:15 PM\ni moved')).toEqual(['look']);
    expect(clauses('[04.01.26, 12:03] Lena K: i moved\nlook')).toEqual(['look']);
    expect(clauses('name: noor\nage: 17')).toEqual(['name', 'noor', 'age', '17']);
  });

  it('leave out what is pasted or quoted by lines', () => {
    expect(clauses('> you are mean\nhe wrote that')).toEqual(['he wrote that']);
    expect(clauses('>>> you are mean\nand rude')).toEqual([]);
    expect(clauses('look ```you are mean``` here')).toEqual(['look here']);
    expect(clauses('5 > 3 and 2.5 is a number')).toEqual(['5 3 and 2 5 is a number']);
  });

  it.each(['why do people cry', 'is it bad that i cry', 'am i mad'])('ask without a mark: %s', (text) =>
    expect(readClauses(text).clauses.every(({ asks }) => asks)).toBe(true),
  );

  it('end at a condition, and not at a "what if" or "even if"', () => {
    expect(clauses('what happens if I fail')).toEqual(['what happens']);
    expect(clauses('what if they fire me')).toEqual(['what if they fire me']);
    expect(clauses('even if I fail')).toEqual(['even if i fail']);
  });

  it('are loud in capitals, with an exclamation mark, and with a drawn-out word, which is read as usual', () => {
    const loud = (text: string) => readClauses(text).clauses.map((clause) => clause.loud);
    expect([...loud('I WON THIS'), ...loud('I won!'), ...loud('sooooo good')]).toEqual([true, true, true]);
    expect([...loud('I won'), ...loud('OK then')]).toEqual([false, false]);
    expect(clauses('sooooo good')).toEqual(['so good']);
  });

  it('ask when their sentence does', () => {
    expect(readClauses('I am sad. are you?').clauses.map(({ asks }) => asks)).toEqual([false, true]);
  });

  it('set quotations apart, unless there is nothing else', () => {
    expect(readClauses('he said "you are useless" to me')).toMatchObject({
      clauses: [{ words: ['he', 'said', 'to', 'me'] }],
      quotes: ['you are useless'],
    });
    expect(readClauses('“you are useless”')).toMatchObject({ quotes: [], isQuotation: true });
    expect(clauses('“you are useless”')).toEqual(['you are useless']);
  });

  it('write chat out in full', () => {
    expect(clauses("ur so kind, I'd hoped u wont mind")).toEqual([
      'you are so kind',
      'i had hoped you will not mind',
    ]);
    expect(clauses("I'd just lost my job")).toEqual(['i had just lost my job']);
    expect(clauses("she'd never felt so alone")).toEqual(['she had never felt so alone']);
    expect(clauses("I'd need you")).toEqual(['i would need you']);
    expect(clauses("I'd often listen")).toEqual(['i would often listen']);
    expect(clauses("I'd even be happy")).toEqual(['i would even be happy']);
    expect(clauses("tysm for ur help, film's on")).toEqual(['thank you so much for your help', "film's on"]);
  });

  it('keep what was written beside the words, and their sentence', () => {
    expect(readClauses('I’m Ann, and I live in Graz. Bye!').clauses).toMatchObject([
      { text: "I'm Ann", sentence: "I'm Ann, and I live in Graz." },
      { text: 'and I live in Graz.', sentence: "I'm Ann, and I live in Graz." },
      { text: 'Bye!', sentence: 'Bye!' },
    ]);
  });

  it('do not end after a capital alone or a title', () => {
    expect(clauses('I live in Washington D.C. and my vet is Dr. Who')).toEqual([
      'i live in washington d c and my vet is dr who',
    ]);
    expect(clauses('So am I. Are you?')).toEqual(['so am i', 'are you']);
  });

  it('tell what is so after an "if" that supposes nothing', () => {
    expect(clauses("If you must know, I'm vegan")).toEqual(['if you must know', 'i am vegan']);
  });

  it('take a request for a question', () => {
    expect(readClauses('please write it down').clauses[0]?.asks).toBe(true);
  });

  it.each([
    ["when's the party", true],
    ['where can I get one', true],
    ['which film should we watch', true],
    ['where am I', true],
    ['where u at', true],
    ['when u coming home', true],
    ["where'd you get that", true],
    ['which one might fit', true],
    ['when must I leave', true],
    ['when u told her, she laughed at me', false],
    ['When I told her, she laughed at me.', false],
    ['Where I live, nobody cares', false],
  ])('take a question word for a question where its verb follows: %j', (text, asks) => {
    expect(readClauses(text).clauses[0]?.asks).toBe(asks);
  });
});

it('words of a text of any length are written out', () => {
  expect(readWords(`${'ok '.repeat(100)}I don’t`.replace('’', "'")).slice(-3)).toEqual(['i', 'do', 'not']);
});
