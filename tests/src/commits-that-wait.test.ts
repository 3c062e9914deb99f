import { expect, it } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

async function filesWith(words: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'apps/*/src/**/*.ts'], {
    cwd: root,
  })) {
    if (file.endsWith('.test.ts')) continue;
    if ((await readFile(join(root, file), 'utf8')).includes(words)) found.push(file);
  }
  return found.toSorted();
}

// Accepting, committing, delivering, forgetting and erasing wait for the disk (decision 0027).
it('no commit but that of a ledger, and of points with their marks, goes without waiting for the disk', async () => {
  expect(await filesWith('synchronous_commit')).toEqual(
    [
      // For tests alone.
      'libs/embedded/src/stores/start-postgres.ts',
      'libs/database/src/transactions/dont-wait-for-disk.ts',
    ].toSorted(),
  );
  expect(await filesWith('dontWaitForDisk(')).toEqual([
    'libs/database/src/rows/turn-ledger.ts',
    'libs/database/src/transactions/dont-wait-for-disk.ts',
    'services/memory/src/index/index-writer.ts',
  ]);
  expect(await filesWith('ledger.handle(')).toEqual([
    'services/memory/src/remember/episode-keeper.ts',
    'services/personality/src/store/affect-records.ts',
    'services/proactive-scheduler/src/store/turn-records.ts',
  ]);
});
