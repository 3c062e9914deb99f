import { INTERRUPTED } from './input/cli-error.js';
import { readConfig, wantsNoColor } from './suite/config.js';
import { run } from './run.js';
import { Terminal } from './terminal/terminal.js';

// Files that it writes, such as an export, are readable for their user alone.
process.umask(0o077);
// A reader that closed the pipe, such as head, has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Ctrl-C leaves without a word, except in a conversation, which handles it itself.
process.on('SIGINT', () => process.exit(INTERRUPTED));

const terminal = new Terminal(process.stdin, process.stdout, process.stderr, wantsNoColor());
process.exitCode = await run(process.argv.slice(2), { terminal, readConfig, node: process });
