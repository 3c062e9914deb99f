import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { folderOf, identify } from './process-records.js';
import { findSupervisor, recordSupervisor, removeSupervisorRecord } from './supervisor-record.js';

const root = join(import.meta.dirname, '../../../..');
let checkout: string;
let record: string;
let first: ChildProcess;
let killed: string;

// A checkout with the built programs, and a data folder and settings of its own.
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'kith-supervisor-'));
  for (const name of readdirSync(root))
    if (!['.kith', '.env'].includes(name)) symlinkSync(join(root, name), join(checkout, name));
  mkdirSync(join(checkout, '.kith'));
  // A start that should not have begun ends at this, before it starts anything.
  writeFileSync(join(checkout, '.env'), 'KITH_PLACEMENT=nowhere\n');
  record = join(checkout, '.kith/supervisor.pid');
  first = spawn('sleep', ['60']);
  killed = JSON.stringify({ pid: first.pid, began: 'before the machine was restarted' });
});
afterEach(() => {
  first.kill('SIGKILL');
  rmSync(checkout, { recursive: true, force: true });
});

const ofThisProcess = (directory: string) => ({ ...identify(process.pid), folder: folderOf(directory) });

async function runMain(verb: string): Promise<{ status: number | null; said: string }> {
  const main = join(checkout, 'libs/embedded/dist/main.js');
  const keepLinks = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const child = spawn(process.execPath, [...keepLinks, main, verb], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}

describe('a second start', () => {
  it('leaves the first one to run, and to be stopped', async () => {
    const noted = JSON.stringify(identify(first.pid!));
    writeFileSync(record, noted);
    expect(await runMain('run')).toEqual({
      status: 1,
      said: `process ${first.pid} runs the suite already: ./scripts/down\n`,
    });
    expect(readFileSync(record, 'utf8')).toBe(noted);
    expect(readFileSync(join(checkout, '.env'), 'utf8')).toBe('KITH_PLACEMENT=nowhere\n');
    expect(await runMain('down')).toEqual({ status: 0, said: 'stopped; the data stays in .kith\n' });
    expect(readdirSync(join(checkout, '.kith'))).toEqual([]);
  });

  it('takes the place of one that was killed, and leaves no record', async () => {
    writeFileSync(record, killed);
    expect((await runMain('run')).said).toContain('KITH_PLACEMENT');
    expect(readdirSync(join(checkout, '.kith'))).toEqual([]);
  });

  it('is the only one, of many that find the record of one that was killed', async () => {
    const directory = join(checkout, '.kith');
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(record, killed);
      const looks = Array.from({ length: 5 }, () => findSupervisor(directory));
      const starts = await Promise.allSettled(Array.from({ length: 5 }, () => recordSupervisor(directory)));
      await Promise.all(looks);
      const refusals = starts.flatMap((start) => (start.status === 'rejected' ? String(start.reason) : []));
      expect(refusals).toEqual(
        Array(4).fill(`Error: process ${process.pid} runs the suite already: ./scripts/down`),
      );
      expect(await findSupervisor(directory)).toEqual(ofThisProcess(directory));
      await removeSupervisorRecord(directory, process.pid);
      expect(readdirSync(directory)).toEqual([]);
    }
  });

  it('keeps its record, where another command had just read that of one that was killed', async () => {
    const directory = join(checkout, '.kith');
    execFileSync('mkfifo', [record]);
    const looked = findSupervisor(directory);
    // Opens as soon as the other end does: it reads on, whatever takes the place of the file.
    const stale = openSync(record, 'w');
    rmSync(record);
    await recordSupervisor(directory);
    writeFileSync(stale, killed);
    closeSync(stale);
    expect(await looked).toBeNull();
    expect(await findSupervisor(directory)).toEqual(ofThisProcess(directory));
  });

  it('is not held up by one that was killed while it noted itself', async () => {
    const directory = join(checkout, '.kith');
    const lock = join(directory, 'supervisor.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, encodeURIComponent(killed)), '');
    await recordSupervisor(directory);
    expect(readdirSync(directory)).toEqual(['supervisor.pid']);
  });
});

describe('a copy of a checkout whose suite runs', () => {
  it('says that nothing runs here, and ends nothing of the other', async () => {
    const noted = { ...identify(first.pid!), folder: folderOf(root) };
    writeFileSync(record, JSON.stringify(noted));
    mkdirSync(join(checkout, '.kith/processes'));
    const service = { name: 'kith', ...noted, owner: { pid: process.pid, began: 'before' } };
    writeFileSync(join(checkout, '.kith/processes/kith.json'), JSON.stringify(service));

    expect(await runMain('status')).toEqual({ status: 1, said: 'not running; ./scripts/up starts it\n' });
    writeFileSync(record, JSON.stringify(noted));
    expect(await runMain('down')).toEqual({ status: 0, said: 'the suite is not running\n' });
    expect(identify(first.pid!)).not.toBeNull();
    expect(readdirSync(join(checkout, '.kith'))).toEqual(['processes']);
    expect(readdirSync(join(checkout, '.kith/processes'))).toEqual([]);
  });

  it('keeps the record of a suite whose checkout is moved while it runs', async () => {
    await recordSupervisor(join(checkout, '.kith'));
    const moved = join(checkout, 'moved');
    renameSync(join(checkout, '.kith'), moved);
    expect(await findSupervisor(moved)).toEqual(ofThisProcess(moved));
  });
});
