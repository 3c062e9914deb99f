import { describe, expect, it } from '@jest/globals';
import { describeAudience, describeMemory } from './describe-memory.js';

describe('describeMemory', () => {
  it('says what it is and whose words it has', () => {
    expect(describeMemory({ kind: 'fact', writer: 'person' })).toBe('a fact, in your words');
    expect(describeMemory({ kind: 'reflection', writer: 'model' })).toBe('a reflection');
  });
});

describe('describeAudience', () => {
  it('tells private words from a channel', () => {
    expect(describeAudience('direct')).toBe('said between you two');
    expect(describeAudience('channel:discord:42')).toBe('said in a Discord channel');
  });
});
