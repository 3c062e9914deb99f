import { expect, it } from '@jest/globals';
import { howItEnded } from './restore-backup.js';

it('says why a backup was not read, or how the reading ended where it could say nothing', () => {
  expect(howItEnded('not a Kith backup\n', 1, null)).toBe('not a Kith backup');
  expect(howItEnded('', null, 'SIGKILL')).toBe(
    'the reading of the backup ended with SIGKILL and said nothing',
  );
  expect(howItEnded('\n', 3, null)).toBe('the reading of the backup ended with code 3 and said nothing');
});
