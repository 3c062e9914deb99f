import { describe, expect, it } from '@jest/globals';
import { buildPassages, type PassageLine } from './build-passages.js';

/** A line of a talk, so many minutes in; ten tokens with its overhead or so. */
function line(id: string, minute: number, over: Partial<PassageLine> = {}): PassageLine {
  return {
    id,
    text: `line ${id} of a talk`,
    kind: 'episode',
    writer: 'person',
    speaker: 'Ann',
    saidAt: new Date(minute * 60_000),
    conversation: 'talk',
    sources: [id],
    ...over,
  };
}
const [one, two, three, four] = ['1', '2', '3', '4'].map((id, minute) => line(id, minute)) as [
  PassageLine,
  PassageLine,
  PassageLine,
  PassageLine,
];
const nothing = new Map<string, PassageLine[]>();
const shape = (passages: ReturnType<typeof buildPassages>) =>
  passages.map(({ lines }) => lines.map(({ id, isFound }) => (isFound ? id : `(${id})`)).join(' '));

describe('buildPassages', () => {
  it('puts what was said beside a line with it, in the order it was said', () => {
    const beside = new Map([['2', [one, three]]]);
    expect(shape(buildPassages([two], beside, 100))).toEqual(['(1) 2 (3)']);
  });

  it('makes an occasion of what has a pause before it, or another place, the oldest first', () => {
    const nextDay = line('5', 24 * 60);
    const elsewhere = line('6', 1, { conversation: 'other' });
    const nowhere = line('7', 2, { conversation: null });
    const found = [nextDay, two, elsewhere, nowhere, one];
    expect(shape(buildPassages(found, nothing, 1_000))).toEqual(['1 2', '6', '7', '5']);
  });

  it('keeps within the budget, the best first, and leaves some of it for what stands beside', () => {
    const beside = new Map([['1', [four]]]);
    const tokens = (most: number) => shape(buildPassages([one, two, three], beside, most)).join(' | ');
    expect(tokens(0)).toBe('');
    expect(tokens(22)).toBe('1 (4)');
    expect(tokens(34)).toBe('1 2 (4)');
    expect(tokens(45)).toBe('1 2 3 (4)');
  });

  it('names nobody but others: the person’s own lines are theirs under whichever name', () => {
    const found = [
      line('1', 0, { speaker: 'nightowl' }),
      line('2', 1, { kind: 'fact', writer: 'model' }),
      line('3', 2, { writer: 'import', speaker: null }),
      line('4', 3, { writer: 'import', speaker: 'Bo' }),
      line('5', 4, { writer: 'companion', speaker: 'Wren' }),
    ];
    const [occasion] = buildPassages(found, nothing, 1_000);
    expect(occasion?.lines.map(({ speaker }) => speaker)).toEqual([null, null, null, 'Bo', 'Wren']);
  });

  it('passes over what does not fit for what does', () => {
    const long = line('9', 5, { text: 'x'.repeat(4_000) });
    expect(shape(buildPassages([long, one], nothing, 60))).toEqual(['1']);
  });

  it('says each line once, however often it stands beside another', () => {
    const beside = new Map([
      ['1', [two]],
      ['2', [one, three]],
    ]);
    expect(shape(buildPassages([one, two], beside, 100))).toEqual(['1 2 (3)']);
  });
});
