import { expect, it } from '@jest/globals';
import { markResult } from './mark-result.js';

const traits = { name: 'read_notes', changes: 'nothing' } as const;

it.each(['memories', 'outside'] as const)(
  'leaves no half of a character where it cuts what %s told',
  (from) => {
    const told = markResult({ ...traits, reads: [from] }, `${'x'.repeat(3_999)}😀`);
    expect([told.length > 4_000, told.isWellFormed()]).toEqual([true, true]);
  },
);
