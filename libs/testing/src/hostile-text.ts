/** A text that is made to keep a reader busy, with the name of how it was made. */
export interface HostileText {
  family: string;
  text: string;
}

/** Words that rules look for: a text that nearly says something makes them try for longest. */
const NEARLY_SAID = [
  'I left ',
  'I moved from ',
  'I am now just still ',
  'my dog ',
  'my favourite thing is ',
  'I really really love ',
  'yes love it really ',
  'no not really i don’t ',
  'ask me ',
  "don't want to ",
  'remind me and then please ',
  "I'll ask you ",
  'how did it go how ',
  'I have an old-time ',
  'from now on always please ',
  'you must ',
  'last week next day 3 days ago ',
  'in 2 hours at 5 on Monday 12 May 2026 ',
  '12:00-12:01-',
  '2026-01-01T',
  // What the library for times has expressions for.
  '1/2/',
  '1.2.',
  '1 2 ',
  'at 1 at ',
  'half a two couple of few ',
  'within 2 days 3 weeks and ',
  '1st of 2nd jan ',
  'monday to tuesday - ',
  'next past last this coming ',
  'noon midnight o’clock am pm ',
  '+00:00 GMT BST ',
  'if and but so because ',
  'good bad not very ',
  'why do you ',
  'she said “ ',
] as const;

/** Dates in years that nobody lives in: a rule that walks from one to today is busy for long. */
const FAR_DATES = [
  'My birthday is 3 May 9999 BC, ',
  '3 May 9999 BC, ',
  'our anniversary is 9999-12-31, ',
  'my birthday was on 0000-01-01, ',
  'ask me on 1 January 0001 and ',
  '9999999 years ago ',
  'I will ask you in 9999999 days ',
] as const;

/** Characters between words, and openings that are never closed. */
const MARKS = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u2003',
  ...'. , ! ? … - – \' ’ " “ «'.split(' '),
  '`',
  '```',
  '*',
  '**',
  '_',
  '#',
  '# ',
  '> ',
  '/',
  '\\',
  '|',
  '@',
  ':',
  ';',
  '=',
  '+',
  '~',
  '<',
  '< ',
  ...'</ <@ <@! <# <: <a: <system <memories [ ]( { {{ ( &'.split(' '),
  'A',
  'A-',
  'A ',
  ...'a. a@ 1 1: 0 😀 👩‍👩‍👧 \u0301 \u200d \ud800 ﷺ 漢 İ ß'.split(' '),
];

/** Ends of the text: the mark that makes all before it a near miss. */
const ENDS = ['', 'x', ' x', '.', '\n!', '>', '"', '\u0000'] as const;

/** Openings that let a rule begin before the run it gets lost in. */
const STARTS = ['', 'I left ', 'yes ', 'ask me', 'a ', '# a', 'I moved from ', '```', 'when is '] as const;

/**
 * Texts of about this many characters, by families: long runs of one mark, sentences that nearly say something again
 * and again, nested and unclosed markup, mentions, one endless word, and seeded mixtures of all of these. The same
 * seed, the same texts.
 * @param mentioned an id that mentions are made of, such as the bot's own
 */
export function* hostileTexts(
  characters: number,
  { seed = 1, mixtures = 40, mentioned = '123456789012345678' } = {},
): Generator<HostileText> {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const fill = (unit: string): string =>
    unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters);
  const around = (start: string, unit: string, end: string): string => `${start}${fill(unit)}${end}`;

  for (const mark of MARKS) yield { family: `run of ${named(mark)}`, text: around(pick(STARTS), mark, 'x') };
  for (const said of NEARLY_SAID) {
    yield { family: `nearly said: ${said.trim()}`, text: around('', said, pick(ENDS)) };
    yield { family: `nearly said, without spaces: ${said.trim()}`, text: around(said, said.trim(), 'x') };
    yield { family: `said, then spaces: ${said.trim()}`, text: around(said.trim(), ' ', 'x') };
  }
  for (const id of [`<@${mentioned}>`, `<@!${mentioned}> `, ` <@${mentioned}>, `, `<:smile:${mentioned}>`]) {
    yield { family: `mentions ${id}`, text: around('a ', id, 'x') };
    yield { family: `mentions first ${id}`, text: around('', id, 'x') };
  }
  for (const [open, close] of [
    ['<div>', '</div>'],
    ['<memories>', '</memories>'],
    ['[', ']'],
    ['{"a":', '}'],
    ['(', ')'],
    ['“', '”'],
    ['> ', ''],
    ['- ', ''],
  ] as const) {
    const depth = Math.floor(characters / (open.length + close.length + 1));
    yield { family: `nested ${open}`, text: `${open.repeat(depth)}a${close.repeat(depth)}` };
    yield { family: `unclosed ${open}`, text: fill(open) };
  }
  for (const date of FAR_DATES) {
    yield { family: `far dates: ${date.trim()}`, text: fill(date) };
    yield { family: `a birthday on far dates: ${date.trim()}`, text: `My birthday is ${fill(date)}` };
  }
  yield { family: 'one word', text: fill('abcdefghij') };
  yield { family: 'one capital word', text: fill('ABCDEFGHIJ') };
  yield { family: 'capitalised words', text: fill('Abc De ') };
  yield { family: 'short words', text: fill('a b c d ') };
  yield { family: 'short lines', text: fill('a\nb\n') };
  yield { family: 'accents', text: fill('a\u0301\u0302\u0303') };
  for (let mixture = 0; mixture < mixtures; mixture += 1) {
    const unit = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      random() < 0.5 ? pick(MARKS) : pick(NEARLY_SAID),
    ).join('');
    yield { family: `mixture ${mixture} of ${named(unit)}`, text: around(pick(STARTS), unit, pick(ENDS)) };
  }
}

function named(text: string): string {
  return JSON.stringify(text);
}

/** A small generator of numbers in [0, 1) by a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
