import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SERVICES } from './settings/services.js';
import { recordSupervisor } from './processes/supervisor-record.js';

const checkout = join(import.meta.dirname, '../../..');

it('says nothing of a reader that has gone, such as head, and tells of a full disk', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kith-main-'));
  mkdirSync(join(root, 'libs/embedded'), { recursive: true });
  for (const part of ['node_modules', 'libs/embedded/dist'])
    symlinkSync(join(checkout, part), join(root, part));
  // Ports that belong to no program, and that `fetch` does not refuse to try.
  const nobody = [2, 3, 4, 5, 6, 8];
  const ports = SERVICES.map(({ portVariable }, index) => `${portVariable}=${nobody[index]}\n`);
  writeFileSync(join(root, '.env'), ports.join(''));
  try {
    await recordSupervisor(join(root, '.kith'));
    const main = join(root, 'libs/embedded/dist/main.js');
    const command = `'${process.execPath}' --preserve-symlinks --preserve-symlinks-main '${main}' status`;
    const status = (reader: string) =>
      spawnSync('bash', ['-c', `${command} ${reader}; exit "\${PIPESTATUS[0]}"`], { encoding: 'utf8' });
    const { stdout } = status('| cat');
    expect(stdout.match(/ down$/gm)).toHaveLength(SERVICES.length);
    // What it says of a suite with parts that are down.
    expect(status('| :')).toMatchObject({ status: 1, stderr: '' });
    expect(status('>/dev/full').stderr).toContain('ENOSPC');
  } finally {
    rmSync(root, { recursive: true });
  }
});
