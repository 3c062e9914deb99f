import { INTERRUPTED } from './input/cli-error.js';
import { readConfig, wantsNoColor } from './suite/config.js';
import { run } from './run.js';
import { Terminal } from './terminal/terminal.js';

// What it writes, such as an export, is its user's alone.
process.umask(0o077);
// A reader that went away, such as head, has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Where no conversation takes it up itself, Ctrl-C leaves, without a word.
process.on('SIGINT', () => process.exit(INTERRUPTED));

const terminal = new Terminal(process.stdin, process.stdout, process.stderr, wantsNoColor());
process.exitCode = await run(process.argv.slice(2), { terminal, readConfig, nodeVersion: process.version });
