import { describe, expect, it } from '@jest/globals';
import { classesAt } from './word-classes.js';

const classes = (text: string) => classesAt(text.split(' '), 0).map(({ wordClass }) => wordClass);

describe('word classes', () => {
  it.each(['steal', 'steals', 'stealing', 'stole', 'stolen', 'cheated', 'bullies', 'bullied', 'lying'])(
    'know a verb in each of its forms: %j',
    (word) => {
      expect(classes(word)).toContain('vice');
    },
  );

  it('double a last letter as English does, and take the longest entry', () => {
    expect(classes('robbed')).toEqual(['harm']);
    expect(classes('tickets')).toEqual(['fortune']);
    expect(classesAt(['they', 'broke', 'into', 'it'], 1)).toEqual([{ wordClass: 'harm', length: 2 }]);
    expect(classesAt(['they', 'broke', 'up'], 1)).toEqual([{ wordClass: 'loss', length: 2 }]);
  });

  it('know no class of other words', () => {
    expect(classes('table')).toEqual([]);
  });
});
