import { describe, expect, it } from '@jest/globals';
import { decideSuspicion, MAX_IN_COMPANY } from './suspect-run.js';

const left = (endedBy: string[], inWork: string | null, isAlone?: boolean, inCompany?: number) =>
  decideSuspicion(JSON.stringify({ endedBy, inWork, isAlone, inCompany }));

describe('decideSuspicion', () => {
  it('lets a job whose process died be done once more', () => {
    expect(decideSuspicion(null)).toEqual({ endedBy: [], inWork: null, isAlone: true, inCompany: 0 });
  });

  it('gives up what ended its process again while it was done alone', () => {
    expect(left([], null)).toBeNull();
    expect(left(['a'], null)).toBeNull();
  });

  it('sets aside the piece that was in work, one after the other', () => {
    expect(left([], 'a')).toEqual({ endedBy: ['a'], inWork: null, isAlone: true, inCompany: 0 });
    expect(left(['a'], 'b')).toEqual({ endedBy: ['a', 'b'], inWork: null, isAlone: true, inCompany: 0 });
  });

  it('gives up what begins again with a piece that ended its process', () => {
    expect(left(['a'], 'a')).toBeNull();
  });

  it('does once more what was not alone when its process died', () => {
    expect(left([], 'a', false)).toEqual({ endedBy: [], inWork: null, isAlone: true, inCompany: 1 });
    expect(left(['a'], null, false)).toEqual({ endedBy: ['a'], inWork: null, isAlone: true, inCompany: 1 });
  });

  it('gives up what ended its process in ever other company', () => {
    let deaths = 1;
    for (let now = decideSuspicion(null); now; deaths += 1)
      now = decideSuspicion(JSON.stringify({ ...now, isAlone: false }));
    // The first, four in company, and the last.
    expect(deaths).toBe(6);
    expect(left(['a'], 'b', false, MAX_IN_COMPANY)).toMatchObject({ endedBy: ['a', 'b'] });
  });
});
