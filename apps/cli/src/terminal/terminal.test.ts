import { createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { displayWidth } from './display-text.js';
import { Terminal, type TerminalStream } from './terminal.js';
import { watchPipes } from './watch-pipes.js';

it('progress takes one line of the terminal, however long its text and however it is broken', () => {
  const notes: TerminalStream = Object.assign(new PassThrough(), { isTTY: true, columns: 50 });
  let text = '';
  notes.on('data', (chunk) => (text += String(chunk)));
  const terminal = new Terminal(new PassThrough(), new PassThrough(), notes, true);
  terminal.showProgress(0.5, `where\n${'is 鍵 the key? '.repeat(20)}`);
  terminal.note('waiting');
  (notes as PassThrough).read();
  const [, drawn = '', noted] = text.split('\r\u001b[K');
  expect(drawn).not.toContain('\n');
  expect(displayWidth(drawn)).toBeLessThan(50);
  expect(noted).toBe('waiting\n');
});

it('nothing moves on a terminal that redraws nothing', () => {
  const notes: TerminalStream = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = new Terminal(new PassThrough(), new PassThrough(), notes, true, true);
  terminal.startWaiting('Mira is thinking');
  terminal.showProgress(0.5, 'half of it');
  terminal.stopWaiting();
  expect((notes as PassThrough).read()).toBeNull();
});

it.each([
  ['a terminal', true, false, '\u001b[31mours\u001b[0m [1mtheirs'],
  ['a terminal without colours', true, true, 'ours [1mtheirs'],
  ['a pipe', false, false, 'ours [1mtheirs'],
])('only our own colours reach %s', (_, isTTY, noColor, shown) => {
  const output = Object.assign(new PassThrough(), { isTTY });
  const terminal = new Terminal(new PassThrough(), output, new PassThrough(), noColor);
  terminal.line(`${terminal.red('ours')} \u001b[1mtheirs`);
  expect(String(output.read())).toBe(`${shown}\n`);
});

it('an output that can’t be written ends the command, which says why', async () => {
  const output = createWriteStream('/dev/full');
  const notes = new PassThrough({ encoding: 'utf8' });
  const terminal = new Terminal(new PassThrough(), output, notes, true);
  const exit = new Promise((resolve) => watchPipes(terminal, resolve));
  terminal.line('a listing');
  expect([await exit, notes.read()]).toEqual([
    1,
    expect.stringMatching(/^kith: the output could not be written: ENOSPC: .+\n$/),
  ]);
});
