import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { placeInTime } from './feel.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

describe("a turn's place in the mood's time", () => {
  it('is when it was spoken', () => {
    expect(placeInTime(NOW - MINUTE, NOW - 5 * MINUTE, NOW)).toEqual({ kind: 'present', at: NOW - MINUTE });
    expect(placeInTime(NOW - 9_000 * MINUTE, 0, NOW)).toEqual({ kind: 'present', at: NOW - 9_000 * MINUTE });
  });

  it('is the last move when it comes a little out of order', () => {
    expect(placeInTime(NOW - 6 * MINUTE, NOW, NOW)).toEqual({ kind: 'present', at: NOW });
  });

  it('is history when it was spoken well before the mood last moved', () => {
    expect(placeInTime(NOW - 11 * MINUTE, NOW, NOW)).toEqual({ kind: 'history' });
  });

  it('is now for a turn dated in the future', () => {
    expect(placeInTime(NOW + 900 * MINUTE, NOW - MINUTE, NOW)).toEqual({ kind: 'present', at: NOW });
  });

  it('never takes the mood back', () => {
    fc.assert(
      fc.property(fc.nat(2e9), fc.nat(2e9), fc.nat(2e9), (ended, moved, now) => {
        const place = placeInTime(ended, moved, now);
        return place.kind === 'history' || place.at >= moved;
      }),
    );
  });
});
