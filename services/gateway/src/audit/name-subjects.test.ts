import { describe, expect, it } from '@jest/globals';
import { nameSubjects } from './name-subjects.js';

describe('the subjects of an operator’s action', () => {
  it('are the ids of its path, and those its query narrows a list to', () => {
    const id = '0193b0a1-7f3e-7abc-8def-0123456789ab';
    expect(nameSubjects({ id }, { person: id, limit: '5' })).toEqual({ id, person: id });
    expect(nameSubjects({ id: 'mira', entry: '12' }, {})).toEqual({ id: 'mira', entry: '12' });
  });

  it('are found by their ids, however these were written', () => {
    const id = '0193b0a1-7f3e-7abc-8def-0123456789ab';
    expect(nameSubjects({ id: id.toUpperCase() }, { message: 'Wren-A' })).toEqual({ id, message: 'Wren-A' });
  });

  it('are never keys', () => {
    const key = `kth_${'A'.repeat(49)}`;
    expect(nameSubjects({ id: key, entry: key.slice(0, 20) }, { person: key })).toEqual({});
  });

  it('are never words', () => {
    expect(nameSubjects({ id: 'my knee hurts' }, { person: 'Ida & co', q: 'knee' })).toEqual({});
    expect(nameSubjects({ id: 'x'.repeat(65) }, { person: ['a', 'b'] })).toEqual({});
  });
});
