import { fstatSync } from 'node:fs';
import { ENDING_SIGNALS, Interrupted, SIGNALLED } from './input/cli-error.js';
import { isDumb, readConfig, readVersion, wantsNoColor } from './suite/config.js';
import { run } from './run.js';
import { fileOutput } from './terminal/file-output.js';
import { Terminal } from './terminal/terminal.js';
import { watchPipes } from './terminal/watch-pipes.js';

// Files that it writes, such as an export, are readable for their user alone.
process.umask(0o077);
const output = fstatSync(1).isFile() ? fileOutput(1) : process.stdout;
const terminal = new Terminal(process.stdin, output, process.stderr, wantsNoColor(), isDumb());
watchPipes(terminal, (code) => process.exit(code));
// Each ends the command silently and leaves no half-written file. A conversation, and a command with more to tidy up,
// listen themselves.
for (const signal of ENDING_SIGNALS)
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(new Interrupted(signal).exitCode);
  });

const code = await run(process.argv.slice(2), {
  terminal,
  readConfig,
  node: process,
  version: readVersion(),
});
// The interrupted command may still wait for an answer, which would keep the process.
if (code > SIGNALLED) process.exit(code);
process.exitCode = code;
