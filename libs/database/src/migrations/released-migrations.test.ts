import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { checksumOf, readMigrations } from './read-migrations.js';

const PRISMA = join(import.meta.dirname, '../../../../prisma');
/** Checksums and names, as `sha256sum` writes them: those that databases in the world keep. */
const RELEASED = join(PRISMA, 'released-migrations.txt');

it('every migration is as it was released, or databases refuse to be updated', async () => {
  const released = (await readFile(RELEASED, 'utf8')).trim().split('\n').toSorted();
  const lines = (await readMigrations(join(PRISMA, 'migrations'))).map(
    ({ name, sql }) => `${checksumOf(sql)}  ${name}`,
  );
  // A new one is a new line. A line that differs means: put the file back, and what it lacks into one of its own.
  expect(lines.toSorted()).toEqual(released);
});
