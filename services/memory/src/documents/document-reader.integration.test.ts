import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, malformedFiles, pdfSaying, usualMs, type MalformedFile } from '@kith/testing';
import { DocumentReader } from './document-reader.js';

/** The reader as it was built, for a service of its own. */
const BUILT = JSON.stringify(join(import.meta.dirname, '../../dist/documents/document-reader.js'));
const OPERATORS = '2,000,000 operators';
const files = new Map(malformedFiles().map((file) => [`${file.format}: ${file.name}`, file]));
const slow = files.get('pdf: operators without text')!;

/** Files that go beyond a limit, with its name and the words that say so. */
const REFUSED: ReadonlyMap<string, readonly [limit: string, message: string]> = new Map([
  ['html: 3,000 nested divs', ['depth', 'its elements are nested deeper than 512 levels']],
  [`pdf: ${OPERATORS}`, ['memoryMb', 'reading it takes more than 256 MB of memory']],
  ['pdf: a bomb in a bomb', ['inflatedMb', 'what is compressed in it inflates to more than 64 MB']],
  ['pdf: a bomb with a broken end', ['inflatedMb', 'what is compressed in it inflates to more than 64 MB']],
  ['pdf: many streams of moderate size', ['inflatedMb', 'inflates to more than 64 MB']],
  ['pdf: 100,000 pages', ['pages', 'it has 100,000 pages, and 2,000 fit']],
  ['text: one-word paragraphs', ['parts', 'parts, and 2,000 fit']],
]);

/** Time in which even a slow machine comes to the other limits: which of them a file meets must not depend on it. */
const PATIENT_MS = 60_000;

let reader: DocumentReader;
beforeEach(() => {
  reader = new DocumentReader(PATIENT_MS);
});
afterEach(() => reader.close());

const read = ({ content, format }: Pick<MalformedFile, 'content' | 'format'>, of = 'ada') =>
  reader.read(of, content, format);

/** A PDF with a line for each of these. */
const linesPdf = (...lines: string[]) => pdfSaying(lines.join(') Tj 0 -14 Td (')).toString('base64');
const dehyphenated = { path: ['Page 1'], text: 'the quarterly report, pre-\nand postwar X-\nRays' };

describe('a document', () => {
  it.each([
    ['markdown', '# Roof\n\nRed tiles.', { path: ['Roof'], text: 'Red tiles.' }],
    ['text', '# Roof', { path: [], text: '\\# Roof' }],
    ['html', '<h1>Roof</h1><p>Red tiles.', { path: ['Roof'], text: 'Red tiles.' }],
    ['pdf', pdfSaying('Red tiles.').toString('base64'), { path: ['Page 1'], text: 'Red tiles.' }],
    ['pdf', pdfSaying('~~~').toString('base64'), { path: ['Page 1'], text: '\\~~~' }],
    // Words that are divided at a line's end, but for what ends in a hyphen.
    ['pdf', linesPdf('the quar-', 'terly report, pre-', 'and postwar X-', 'Rays'), dehyphenated],
  ] as const)('is read as %s', async (format, content, chunk) => {
    expect(await read({ format, content })).toEqual([chunk]);
  });

  it.each([
    ['a compound', 'The mill is well known, and so is the weir: a well-', 'known one.'],
    ['a longer compound', 'A state-of-the-', 'art mill.'],
    ['a link', 'See kith.example/my-', 'page.'],
    ['an option', 'Call kith --dry-', 'run first.'],
    ['the name of a file', 'Open my-', 'notes.txt of it.'],
  ])('keeps the hyphen of %s at a line’s end', async (_, ...lines) => {
    const content = linesPdf(...lines);
    expect(await read({ format: 'pdf', content })).toEqual([{ path: ['Page 1'], text: lines.join('\n') }]);
  });

  it('says so where a PDF asks for a password', async () => {
    const key = `<${'00'.repeat(32)}>`;
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${key} /U ${key} >>`;
    const pdf = pdfSaying('x').toString('latin1').replace('/Root', `/ID [<00><00>] ${encrypt} /Root`);
    const content = Buffer.from(pdf, 'latin1').toString('base64');
    await expect(read({ format: 'pdf', content })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'a password protects this PDF: save a copy without one, and add that',
    });
  });

  it('has a file for each limit', () => {
    expect([...files.keys()]).toEqual(expect.arrayContaining([...REFUSED.keys()]));
  });

  it.each([...files.keys()])(
    'costs this process next to nothing, and what is beyond a limit is refused with it: %s',
    async (name) => {
      // Of the thread that serves everybody: what the test runner compiles and collects beside it is not the reader's.
      const [cpuBefore, memoryBefore] = [process.threadCpuUsage(), process.memoryUsage.rss()];
      const outcome = await read(files.get(name)!).catch((error: unknown) => error);
      const { user, system } = process.threadCpuUsage(cpuBefore);
      const refused = REFUSED.get(name);
      if (refused) {
        const [limit, message] = refused;
        const details = { field: 'content', limit };
        expect(outcome).toMatchObject({ message: expect.stringContaining(message), details });
      }
      if (refused || outcome instanceof Error) expect(outcome).toMatchObject({ code: 'invalid_request' });
      // A file is at most a megabyte, its chunks two.
      expect(usualMs((user + system) / 1_000, 1_000)).toBeLessThan(1_000);
      expect((process.memoryUsage.rss() - memoryBefore) / 1e6).toBeLessThan(50);
    },
    PATIENT_MS + 10_000,
  );

  it('is refused when its time is over', async () => {
    reader = new DocumentReader(50);
    await expect(read(slow)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'content', limit: 'timeMs' },
    });
    await eventually('none is left', async () => (await childrenOf(process.pid)).length === 0);
  });
});

describe('reading', () => {
  it(
    'is done one by one, and lets few wait: of one person, and of all',
    async () => {
      const inWork = [read(slow), read(slow)].map((one) => one.catch(() => 'read'));
      await expect(read(slow)).rejects.toMatchObject({ code: 'rate_limited' });
      inWork.push(read(slow, 'ben').catch(() => 'read'));
      await expect(read(slow, 'cy')).rejects.toMatchObject({ code: 'unavailable' });
      await eventually('one process reads', async () => (await childrenOf(process.pid)).length === 1);
      reader.close();
      await Promise.all(inWork);
      await eventually('none is left', async () => (await childrenOf(process.pid)).length === 0);
    },
    PATIENT_MS,
  );

  it(
    'goes on with the next one when one ends its process',
    async () => {
      const first = read(slow).catch((error: unknown) => error);
      const next = read({ format: 'markdown', content: 'Red tiles.' });
      await eventually('it is read', async () => (await childrenOf(process.pid)).length === 1);
      process.kill((await childrenOf(process.pid))[0]!, 'SIGKILL');
      expect(await first).toMatchObject({ details: { limit: 'memoryMb' } });
      expect(await next).toHaveLength(1);
    },
    PATIENT_MS,
  );

  it('fails, and ends no service, where no process can be started', async () => {
    const program = `
      import { DocumentReader } from ${BUILT};
      process.execPath = '/nowhere/node';
      await new DocumentReader().read('ada', 'Red tiles.', 'text').catch(({ code }) => console.log(code));`;
    const service = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect((await service).stdout).toBe('ENOENT\n');
  });

  it(
    'ends with the service, however that ends',
    async () => {
      const program = `
      import { DocumentReader } from ${BUILT};
      void new DocumentReader().read('ada', ${JSON.stringify(slow.content)}, 'pdf');`;
      const service = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
      let child = 0;
      await eventually('it is read', async () => {
        [child = 0] = await childrenOf(service.pid!);
        return child > 0;
      });
      service.kill('SIGKILL');
      await once(service, 'exit');
      await eventually('the reading process is gone', () => !isAlive(child));
    },
    PATIENT_MS,
  );
});

/** By the kernel's own list. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.join(' ').split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
