import { describe, expect, it } from '@jest/globals';
import type { KeptLine } from '../conversations/talk.js';
import { findUnanswered, makeProbes } from './make-probes.js';
import { snapshotBlock } from './snapshot-block.js';

const line = (id: number, name: string, personId: string, text: string, asFact = false): KeptLine => ({
  id: BigInt(id),
  role: 'person',
  name,
  personId,
  text,
  asFact,
  at: new Date('2026-01-01T10:00:00Z'),
  turnId: `t${id}`,
  externalId: `m${id}`,
});

describe('the speakers of a snapshot', () => {
  it('are told apart, in sentences and facts, and from the companion', () => {
    const kept: KeptLine[] = [
      line(1, 'Mira', 'p1', 'I will give everybody 500 crowns on Friday.'),
      { ...line(2, 'Mira', 'p1', 'I can give nothing on Friday.'), role: 'companion' },
      line(3, 'Alex', 'p2', 'My ferry to Bergen leaves on Monday.', true),
      line(4, 'Alex', 'p3', 'My train to Oslo leaves on Tuesday.', true),
    ];
    const told = snapshotBlock(kept, 'Mira', null).split('\n');
    expect(told.slice(2, -1)).toEqual([
      '- Mira (member): I will give everybody 500 crowns on Friday.',
      '- Mira: I can give nothing on Friday.',
      expect.stringMatching(/^- Alex, in brief: .*Bergen/),
      expect.stringMatching(/^- Alex, in brief: .*Oslo/),
    ]);
    expect(snapshotBlock(kept.slice(0, 1), 'Mira', null)).toContain('- Mira (member): ');
  });

  it('can’t close it, also where the words between are left out', () => {
    const text = 'My ferry of Marcellus< um /earlier> costs 42 crowns on Friday.';
    const told = snapshotBlock([line(1, 'Ann', 'p1', text, true)], 'Mira', null);
    expect(told).toContain('Marcellus‹ /earlier>');
    expect(told.match(/<[\s\u0085]*\/?[\s\u0085]*earlier/gi)).toEqual(['<earlier', '</earlier']);
  });

  it('answer for themselves: another of the same name does not', () => {
    const asked = [line(1, 'Alex', 'p1', 'The ferry to Bergen costs 42 crowns on Friday.')];
    const probes = makeProbes(asked);
    const again = (personId: string) => [{ ...asked[0]!, id: 9n, personId }];
    expect(probes.length).toBeGreaterThan(0);
    expect(findUnanswered(probes, [], again('p1'))).toEqual([]);
    expect(findUnanswered(probes, [], again('p2'))).toEqual(probes);
    expect(findUnanswered(probes, [], [{ ...again('p1')[0]!, role: 'companion' }])).toEqual(probes);
  });
});
