import { describe, expect, it } from '@jest/globals';
import { replayLines, sparkline } from './replay.js';

describe('a course in text', () => {
  const course = [-1, 0, 1].map((value, n) => ({ at: `2026-01-0${n + 1}T00:00:00.000Z`, value }));

  it('is drawn by time, from -1 to 1', () => {
    expect(sparkline(course, 5)).toBe('▁▁▅▅█');
    expect(sparkline([], 5)).toBe('');
  });

  const series = course.map(({ at, value }) => ({
    at,
    pad: { p: value, a: 0, d: 0 },
    emotion: null,
    intensity: null,
  }));
  const replay = {
    turns: 3,
    unknownVersions: 0,
    differing: 0,
    firstDifference: null,
    stored: { baseline: { p: 0.1, a: 0, d: 0 }, series },
    replayed: { baseline: { p: 0.2, a: 0, d: 0 }, series },
  };

  it('stands beside the one that was, with numbers, when a persona is tried', () => {
    const lines = replayLines(replay, true);
    expect(lines[1]).toMatch(/^ {2}as it was .*mean \+0\.00, −1\.00 to \+1\.00, at rest \+0\.10$/);
    expect(lines[2]).toMatch(/^ {2}replayed .*at rest \+0\.20$/);
    expect(lines.at(-1)).toBe('3 turns felt again with that persona; 0 left something else');
  });

  it('says whether the log is proven, and where it is not', () => {
    expect(replayLines(replay, false).at(-1)).toBe(
      '3 turns felt again: equal to what is stored, bit for bit',
    );
    const firstDifference = { turnId: 'turn', at: '2026-01-02T00:00:00.000Z', what: 'needs' as const };
    expect(replayLines({ ...replay, differing: 2, firstDifference }, false).at(-1)).toContain(
      '2 differ from what is stored, first the needs after turn turn',
    );
  });
});
