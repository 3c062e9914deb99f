import { setImmediate as breathe } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { noteOfSent } from '@kith/contracts';
import { usualMs } from '@kith/testing';
import { analyseText } from '../words/analyse-text.js';
import { findContradictions, findUnsettled, type ComparedMemory } from './find-contradictions.js';

const line = (day: number, text: string, over: Partial<ComparedMemory> = {}): ComparedMemory => ({
  id: `${day}`,
  text,
  speaker: 'Ann',
  attribute: null,
  value: null,
  validTo: null,
  kind: 'episode',
  writer: 'person',
  saidAt: new Date(Date.UTC(2026, 0, day)),
  ...over,
});
const pairsOf = (found: ComparedMemory[], question: string) =>
  findContradictions(found, analyseText(question)).map(({ sides }) => sides.map(({ id }) => id));

const denied = line(9, 'I’ve never met Kelly at any book club, so should I write to her?');
const met = line(2, 'I met Kelly at the library book club in October.');
const question = 'Have I met Kelly at a book club?';

describe('a contradiction', () => {
  it('is a denial beside a line of the same speaker that says otherwise, the older first', () => {
    expect(pairsOf([denied, line(1, 'Kelly is kind.'), met], question)).toEqual([['2', '9']]);
  });

  it('is one under whichever names the person said both', () => {
    expect(pairsOf([denied, { ...met, speaker: 'nightowl' }], question)).toEqual([['2', '9']]);
  });

  it('is none of something else, of another speaker, or of what is not asked about', () => {
    expect(pairsOf([denied, line(3, 'I met Bob at the station.')], question)).toEqual([]);
    const of = (speaker: string) => ({ writer: 'import', speaker });
    expect(pairsOf([denied, { ...met, ...of('Bob') }], question)).toEqual([]);
    expect(
      pairsOf(
        [
          { ...denied, ...of('Ida') },
          { ...met, ...of('Bob') },
        ],
        question,
      ),
    ).toEqual([]);
    expect(pairsOf([denied, met], 'Which films did I like?')).toEqual([]);
    const forwarded = noteOfSent('a forwarded message', denied.text);
    expect(pairsOf([{ ...denied, text: forwarded }, met], question)).toEqual([]);
    expect(pairsOf([denied, line(3, 'I have never met Kelly at a book club.')], question)).toEqual([]);
  });

  it('is two values of what can’t change, and not of what can', () => {
    const fact = (day: number, attribute: string, value: string) =>
      line(day, `Ann: ${value}`, { attribute, value });
    expect(pairsOf([fact(1, 'birthday', '4 may'), fact(5, 'birthday', '5 may')], 'birthday?')).toEqual([
      ['1', '5'],
    ]);
    expect(pairsOf([fact(1, 'origin', 'Rome'), fact(5, 'origin', 'rome')], 'from?')).toEqual([]);
    expect(pairsOf([fact(1, 'home', 'Rome'), fact(5, 'home', 'Bern')], 'home?')).toEqual([]);
  });

  it.each([
    ['I don’t think I’ve ever been to Lisbon.', 'I went to Lisbon with Tom.', 'Have I been to Lisbon?'],
    ['I have no experience with pottery at all.', 'I took a pottery class.', 'What about pottery?'],
    ['I’ve never met Michael, why do you ask?', 'I work with Michael on the timelines.', 'What of Michael?'],
    ['Ich habe Jonas nie getroffen.', 'Gestern war ich mit Jonas im Kino.', 'Was ist mit Jonas?'],
    ['Nunca he conocido a Elena.', 'Cené con Elena el lunes.', '¿Quién es Elena?'],
    ['Je n’ai jamais rencontré Claire.', 'J’ai dîné avec Claire hier.', 'Qui est Claire ?'],
    ['Nunca conheci o Rui.', 'Fui ao cinema com Rui.', 'Quem é Rui?'],
    ['I’m an only child.', 'My older sister came by.', 'Do I have a sister?'],
    ['Ich bin Einzelkind.', 'Ich war bei meinem Arzt, und meine Schwester auch.', 'Habe ich eine Schwester?'],
    ['I’ve been vegetarian all my life.', 'I had the roast chicken at lunch.', 'Do I eat chicken?'],
    ['I’ve been vegan since birth.', 'I had some meatballs at Tom’s.', 'Do I eat meatballs?'],
  ])('is found by a rule: %s', (no, yes, asks) => {
    expect(pairsOf([line(9, no), line(2, yes)], asks)).toEqual([['2', '9']]);
  });

  it.each([
    [
      'what was not until then',
      'I have no experience with pottery.',
      'I took a pottery class.',
      'And pottery?',
      1,
    ],
    ['somebody else’s sister', 'I’m an only child.', 'Tom’s sister came by.', 'Do I have a sister?', 9],
    ['a sister-in-law', 'I’m an only child.', 'My sister-in-law came by.', 'Do I have a sister?', 9],
    ['one who is only spoken of', 'I’ve never met Michael.', 'Michael is her boss.', 'Who is Michael?', 9],
    ['another who was met', 'I’ve never met Michael.', 'I work with Michelle.', 'Who is Michael?', 9],
    ['a name that is not asked about', 'I’ve never met Michael.', 'I work with Michael.', 'Any films?', 9],
    ['a diet that changed', 'I’m a vegetarian now.', 'I had the roast chicken.', 'Do I eat chicken?', 9],
    [
      'what is never done',
      'I never drink coffee after noon.',
      'I had a coffee at nine.',
      'What do I eat?',
      9,
    ],
  ])('is not %s', (_, no, yes, asks, day) => {
    expect(pairsOf([line(day, no), line(2, yes)], asks)).toEqual([]);
  });

  it.each([
    ['deny the same', () => `I have never eaten raw fish. ${'word '.repeat(200)}`],
    [
      'deny much',
      (n: number) => Array.from({ length: 35 }, (_, k) => `I never w${n}x${k} y${k} z.`).join(' '),
    ],
    ['never met the same', () => `I never met Bob. ${'with Bobby '.repeat(100)}`],
    ['are long', (n: number) => `I never met Bob${n}. ${'あいうえおかきくけこさしすせそ'.repeat(75)}`],
  ])('leave other work its turns among five hundred lines that %s', async (_, textOf) => {
    const lines = Array.from({ length: 500 }, (_each, n) => line(n, textOf(n)));
    const blocked = longestBlockMs();
    await findUnsettled(lines);
    // One long line takes ten milliseconds, and more on a slow processor.
    expect(usualMs(await blocked(), 100)).toBeLessThan(100);
  });
});

/** Measures the longest CPU time that this thread spends before it takes a turn, from now until it is asked. */
function longestBlockMs(): () => Promise<number> {
  let [longest, isOver] = [0, false];
  const watching = (async () => {
    while (!isOver) {
      const began = process.threadCpuUsage();
      await breathe();
      const { user, system } = process.threadCpuUsage(began);
      longest = Math.max(longest, (user + system) / 1_000);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longest;
  };
}
