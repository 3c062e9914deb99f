import { describe, expect, it } from '@jest/globals';
import { AskedVectors } from './asked-vectors.js';

const MEGABYTE = 1024 * 1024;
const vector = () => new Float32Array(MEGABYTE / Float32Array.BYTES_PER_ELEMENT);

describe('vectors of questions that were asked', () => {
  it('are found by the question and the space', () => {
    const asked = new AskedVectors();
    const mine = Float32Array.of(1, 2);
    asked.put('space', 'where?', mine);
    expect(asked.get('space', 'where?')).toBe(mine);
    expect(asked.get('space', 'Where?')).toBeUndefined();
    expect(asked.get('another', 'where?')).toBeUndefined();
  });

  it('go when there are too many, the one asked longest ago first', () => {
    const asked = new AskedVectors();
    for (const question of ['a', 'b', 'c', 'd']) asked.put('space', question, vector());
    asked.get('space', 'a');
    // One that is there already takes no more room.
    asked.put('space', 'c', vector());
    asked.put('space', 'e', vector());
    const held = ['a', 'b', 'c', 'd', 'e'].filter((question) => asked.get('space', question));
    expect(held).toEqual(['a', 'c', 'd', 'e']);
  });
});
