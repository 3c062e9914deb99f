import { describe, expect, it } from '@jest/globals';
import { decideSuspicion } from './suspicion.js';

const left = (endedBy: string[], inWork: string | null, isAlone?: boolean) =>
  decideSuspicion(JSON.stringify({ endedBy, inWork, isAlone }));

describe('decideSuspicion', () => {
  it('lets a job whose process died be done once more', () => {
    expect(decideSuspicion(null)).toEqual({ endedBy: [], inWork: null, isAlone: true });
  });

  it('gives up what ended its process again while it was done alone', () => {
    expect(left([], null)).toBeNull();
    expect(left(['a'], null)).toBeNull();
  });

  it('sets aside the piece that was in work, one after the other', () => {
    expect(left([], 'a')).toEqual({ endedBy: ['a'], inWork: null, isAlone: true });
    expect(left(['a'], 'b')).toEqual({ endedBy: ['a', 'b'], inWork: null, isAlone: true });
  });

  it('gives up what begins again with a piece that ended its process', () => {
    expect(left(['a'], 'a')).toBeNull();
  });

  it('does once more what was not alone when its process died', () => {
    expect(left([], null, false)).toEqual({ endedBy: [], inWork: null, isAlone: true });
    expect(left(['a'], null, false)).toEqual({ endedBy: ['a'], inWork: null, isAlone: true });
  });
});
