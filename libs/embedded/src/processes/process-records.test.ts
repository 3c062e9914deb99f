import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { notThere, parseRecord } from './process-records.js';

describe('a record that could not be read', () => {
  it.each(['EACCES', 'EPERM'])('may be another user’s, by %s', (code) => {
    expect(() => notThere(Object.assign(new Error('no'), { code }))).toThrow(
      'the suite belongs to another user: run this as them',
    );
  });

  it('is not there, or the disk fails', () => {
    expect(notThere(Object.assign(new Error('no'), { code: 'ENOENT' }))).toBeNull();
    expect(() => notThere(Object.assign(new Error('the disk'), { code: 'EIO' }))).toThrow('the disk');
  });

  it('is none where only half of it was written', () => {
    expect(parseRecord('{"pid": 1')).toBeNull();
    expect(parseRecord('{"pid": 1}')).toEqual({ pid: 1 });
  });
});

it('finds by ps when a process began, the same in any zone', () => {
  const built = pathToFileURL(join(import.meta.dirname, '../../dist/processes/process-records.js')).href;
  const script = `const { beganByPs } = await import('${built}'); console.log(beganByPs(process.ppid));`;
  const began = (TZ: string) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      env: { ...process.env, TZ, NODE_OPTIONS: '' },
    }).stdout;
  expect(began('Asia/Tokyo')).toMatch(/\d\d:\d\d:\d\d/);
  expect(began('Asia/Tokyo')).toBe(began('America/New_York'));
});
