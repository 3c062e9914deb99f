import { INTERRUPTED } from './input/cli-error.js';
import { readConfig, readVersion, wantsNoColor } from './suite/config.js';
import { run } from './run.js';
import { Terminal } from './terminal/terminal.js';
import { watchPipes } from './terminal/watch-pipes.js';

// Files that it writes, such as an export, are readable for their user alone.
process.umask(0o077);
const terminal = new Terminal(process.stdin, process.stdout, process.stderr, wantsNoColor());
watchPipes(terminal, (code) => process.exit(code));
// Ctrl-C leaves without a word, except in a conversation and in a command that listens for it, as it has to tidy up.
process.on('SIGINT', () => {
  if (process.listenerCount('SIGINT') === 1) process.exit(INTERRUPTED);
});

const code = await run(process.argv.slice(2), {
  terminal,
  readConfig,
  node: process,
  version: readVersion(),
});
// What was interrupted may wait for an answer still.
if (code === INTERRUPTED) process.exit(code);
process.exitCode = code;
