import { describe, expect, it } from '@jest/globals';
import { visibleJson } from '@kith/contracts';
import { displayWidth, fitText, paint, printableLine, printable, printablePainted } from './display-text.js';
import { tableLines } from './table-lines.js';
import { wrapParts } from './wrap-parts.js';

describe('what is printed', () => {
  const hostile =
    'a\u001b]0;title\u0007\u001b[2J\u001b[31mhidden\u009b31m\r\u202eevil\u001b[0m\u001b]8;;https://evil.example\u0007';

  it('keeps our own colours, and no escape of anybody else', () => {
    const shown = printablePainted(`${paint(1, 'Mira: ')}${hostile}`);
    expect(shown.startsWith('\u001b[1mMira: \u001b[0ma]0;title[2J[31mhidden31mevil[0m')).toBe(true);
    expect(shown.slice('\u001b[1mMira: \u001b[0m'.length)).toBe(printable(hostile));
    expect(printablePainted(paint(2, hostile))).toBe(`\u001b[2m${printable(hostile)}\u001b[0m`);
  });

  it('is the same value as JSON, without anything that steers', () => {
    const text = visibleJson({ hostile });
    expect(JSON.parse(text)).toEqual({ hostile });
    expect(printable(text)).toBe(text);
  });
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['é', 1],
    ['小白', 4],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['각'.normalize('NFD'), 2],
    ['قهوة\u200f', 4],
    ['ﾊﾞﾅﾅ', 4],
    ['', 0],
  ])('%p takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('fitText', () => {
  it('leaves what fits, and marks what was cut', () => {
    expect([fitText('short', 5), fitText('too long', 5), fitText('小白小白', 5)]).toEqual([
      'short',
      'too…',
      '小白…',
    ]);
  });
});

describe('printable', () => {
  it('lets no text steer the terminal', () => {
    expect(printable('a\u001b[2Jb\u0007\nc\u009b31m')).toBe('a[2Jb\nc31m');
    expect(printableLine(' two\n lines\u001b ')).toBe('two lines');
  });
});

describe('tableLines', () => {
  const rows = [
    { name: 'one', n: 5, text: 'a text that is rather too long to fit into the space there is' },
    { name: 'longer', n: 12, text: 'short' },
  ];
  const columns = [
    { header: 'name', value: (row: (typeof rows)[0]) => row.name },
    { header: 'n', value: (row: (typeof rows)[0]) => String(row.n), align: 'right' as const },
    { header: 'text', value: (row: (typeof rows)[0]) => row.text, flexible: true },
  ];

  it('aligns columns and shortens the flexible one to the terminal', () => {
    expect(tableLines(rows, columns, 40)).toEqual([
      'name     n  text',
      'one      5  a text that is rather too l…',
      'longer  12  short',
    ]);
  });

  it('cuts nothing where there is room', () => {
    expect(tableLines(rows, columns, 200)[1]).toContain('space there is');
  });

  it('shares the room among flexible columns; one that needs less leaves the rest to the others', () => {
    const wide = 'x'.repeat(60);
    const two = [
      { header: 'a', value: () => wide, flexible: true },
      { header: 'b', value: () => wide, flexible: true },
      { header: 'c', value: () => 'ten long..', flexible: true },
    ];
    const widths = (columns: number) => tableLines([{}], two, columns)[1]!.split(/ {2,}/).map(displayWidth);
    expect(widths(74)).toEqual([30, 30, 10]);
    expect(widths(20)).toEqual([16, 16, 10]);
  });

  it('keeps a readable column on a terminal that is too narrow for it', () => {
    expect(tableLines(rows, columns, 10)[1]).toBe('one      5  a text that is…');
  });
});

describe('wrapParts', () => {
  it('begins a line where a part no longer fits, and cuts none', () => {
    expect(wrapParts(['one', 'two', 'a part that is long', 'x'], 12, { indent: 2 })).toEqual([
      '  one · two',
      '  a part that is long',
      '  x',
    ]);
    expect(wrapParts([], 12)).toEqual([]);
  });
});
