import type { Random } from '../faults/random.ts';

/** Times at the edges of what calendars, stores and libraries hold. */
const TIMES = [
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59Z',
  '+010000-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0000-01-01',
  '0001-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '1899-12-31T23:59:59Z',
  '2200-01-01',
  '1900-01-01T00:00:00Z',
  '2199-12-31T23:59:59.999Z',
  '1900-01-01',
  '2199-12-31',
  '1970-01-01T00:00:00Z',
  '2026-02-29',
  '2024-02-29T12:00:00Z',
  '2026-06-30T23:59:60Z',
  '2026-03-29T02:30:00+01:00',
  'infinity',
  '2026-11-22',
  '2026-11-22T06:00:00Z',
  '2026-11-22T24:00:00Z',
  `2026-01-01T00:00:00.${'1'.repeat(400)}Z`,
  'now',
];

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1e-7,
  1e21,
  1e308,
  -1e308,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  200,
  201,
  65_536,
  999_999_999,
];

/** Short texts that mean something to some parser below. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066x',
  '\u200d'.repeat(40),
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(30),
  "'; DROP TABLE memories; --",
  '%',
  '%00',
  '%zz',
  '..%2f..%2f.env',
  '../../../../etc/passwd',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '<@1><@&2><#3>@everyone',
  '<memories>',
  '</system>',
  '```',
  '[x](javascript:1)',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '[]',
  '{}',
  '*',
  '$ne',
  '^(a+)+$',
  '\r\nSet-Cookie: a=b',
  'a\tb\u2028c\u2029d',
  'ﷺ'.repeat(20),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '0',
  '-1',
  '1e309',
  '0x10',
  '١٢٣',
];

/** Texts that once kept a rule busy for minutes, and their like. */
const LONG: readonly ((size: number) => string)[] = [
  (size) => `I left ${'A-'.repeat(size / 2)}A.`,
  (size) => `yes ${'love it really '.repeat(size / 15)}n`,
  (size) => `ask me${' '.repeat(size)}x`,
  (size) => `# a${' '.repeat(size)}b`,
  (size) => '< '.repeat(size / 2),
  (size) => `a ${'<@100> '.repeat(size / 7)}x`,
  (size) => 'a'.repeat(size),
  (size) => 'Ab '.repeat(size / 3),
  (size) => '\n'.repeat(size),
  (size) => '“'.repeat(size),
  (size) => 'I moved to '.repeat(size / 11),
  (size) => 'remind me tomorrow at 12:00 and '.repeat(size / 32),
  (size) => `${'a '.repeat(size / 2)}2026-`,
  (size) => '**_~~`'.repeat(size / 6),
  (size) => '1'.repeat(size),
];

/** As long as a message may be, and now and then longer. */
export function hostileMessage(random: Random): string {
  if (random.chance(0.2)) return random.pick(TEXTS) + random.pick(TEXTS);
  const make = random.pick(LONG);
  const text = make(random.pick([100, 1_000, 3_900, 3_900, 8_200]));
  return random.chance(0.3) ? random.pick(LONG)(600).slice(0, 600) + text.slice(0, 3_300) : text;
}

export function hostileTime(random: Random): string {
  return random.pick(TIMES);
}

/** A short text that fits an address, a header or a field. */
export function hostileWord(random: Random): string {
  return random.pick(random.pick([TEXTS, TEXTS, TIMES, NUMBERS.map(String)]));
}

/** Anything JSON can say, where something else is expected. */
export function hostileValue(random: Random): unknown {
  switch (random.between(0, 9)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
    case 2:
      return random.pick(NUMBERS);
    case 3:
    case 4:
      return random.pick(TIMES);
    case 5:
      return hostileMessage(random);
    case 6:
      return random.pick([[], {}, [[]], [null], { __proto__x: 1 }, Array(1_000).fill(0), { '': '' }]);
    case 7:
      return nested(random.pick([3, 60, 70, 2_000]), random.chance(0.5));
    default:
      return random.pick(TEXTS);
  }
}

function nested(depth: number, asList: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = asList ? [value] : { a: value };
  return value;
}
