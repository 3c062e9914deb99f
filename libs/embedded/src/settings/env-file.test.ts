import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureSecrets, withSetting } from './env-file.js';

let directory: string;
let path: string;
let example: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kith-env-'));
  path = join(directory, '.env');
  example = join(directory, '.env.example');
  writeFileSync(example, '# KITH_KEY=\nGATEWAY_PORT=3000\n');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('withSetting', () => {
  it.each([
    ['# KEY=\nB=1\n', 'KEY=new\nB=1\n'],
    ['# KEY=old\nKEY=\nB=1\n', '# KEY=old\nKEY=new\nB=1\n'],
    ['# KEY=old\nB=1\n', '# KEY=old\nB=1\nKEY=new\n'],
    ['# KEY=\nKEY=\n', '# KEY=\nKEY=new\n'],
    ['KEY=old\nB=1\nKEY=\n', 'KEY=old\nB=1\nKEY=new\n'],
    ['export KEY=""\nB=1', 'export KEY=new\nB=1\n'],
    ['KEY = \nKEY_TWO=\n', 'KEY=new\nKEY_TWO=\n'],
  ])('fills the line of %j that counts', (before, after) => {
    expect(withSetting(before, 'KEY', 'new')).toBe(after);
  });
});

describe('ensureSecrets', () => {
  it('adds what is missing, keeps what is there, and leaves the file to its owner', async () => {
    writeFileSync(path, 'POSTGRES_PASSWORD=mine\n', { mode: 0o644 });
    const settings = await ensureSecrets(path, example);
    expect(settings).toMatchObject({ POSTGRES_PASSWORD: 'mine', KITH_KEY: expect.any(String) });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['.env', '.env.example']);
  });

  it('reads a file whose first setting stands behind a byte order mark, and takes a secret of spaces for none', async () => {
    writeFileSync(path, `\uFEFFPOSTGRES_PASSWORD=mine\r\nTHOUGHTS_KEY=' '\r\n`);
    const settings = await ensureSecrets(path, example);
    expect(settings).toMatchObject({
      POSTGRES_PASSWORD: 'mine',
      THOUGHTS_KEY: expect.stringMatching(/^\S{20}/),
    });
    expect(readFileSync(path, 'utf8')).toMatch(/^POSTGRES_PASSWORD=mine\r\n/);
  });

  it('leaves the file as it was where there is no room for the new one', () => {
    const before = `POSTGRES_PASSWORD=mine\n# ${'a setting of the operator '.repeat(100)}\n`;
    writeFileSync(path, before);
    const built = pathToFileURL(join(import.meta.dirname, '../../dist/settings/env-file.js')).href;
    const script = `const { ensureSecrets } = await import('${built}'); await ensureSecrets('${path}', '${example}');`;
    // A bound of 1 KB for each file stands in for the full disk: a write breaks off in the middle.
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', script],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('EFBIG') });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('reads a folder of home by its whole path, and leaves what is no folder', async () => {
    writeFileSync(path, 'COMPANIONS_DIR=~/companions\nHOOKS_DIR="${HOME}/hooks"\nPOSTGRES_PASSWORD=~/mine\n');
    expect(await ensureSecrets(path, example)).toMatchObject({
      COMPANIONS_DIR: join(homedir(), 'companions'),
      HOOKS_DIR: join(homedir(), 'hooks'),
      POSTGRES_PASSWORD: '~/mine',
    });
  });

  it('replaces what a link points to', async () => {
    const elsewhere = join(directory, 'settings');
    writeFileSync(elsewhere, 'POSTGRES_PASSWORD=mine\n');
    symlinkSync(elsewhere, path);
    const { KITH_KEY } = await ensureSecrets(path, example);
    expect(readFileSync(elsewhere, 'utf8')).toContain(KITH_KEY);
  });
});
