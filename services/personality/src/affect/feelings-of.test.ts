import { describe, expect, it } from '@jest/globals';
import { appraiseByRules } from '../reading/english/appraise-by-rules.js';
import { feelingsOf } from './emotions-of.js';

describe('the feelings of a turn', () => {
  it('has each emotion once, at its strongest', () => {
    const [mild] = appraiseByRules(['I am a bit sad'], 'Mira');
    const [strong] = appraiseByRules(['my dog died'], 'Mira');
    if (!mild || !strong) throw new Error('both must be read as something');
    expect(feelingsOf([mild, strong])).toEqual([
      expect.objectContaining({ name: 'pity', appraisal: strong }),
    ]);
  });

  it('puts the strongest first', () => {
    const feelings = feelingsOf(appraiseByRules(['hello', 'my dog died', 'I love pizza'], 'Mira'));
    const intensities = feelings.map(({ intensity }) => intensity);
    expect(feelings[0]?.name).toBe('pity');
    expect(intensities).toEqual([...intensities].sort((one, other) => other - one));
  });
});
