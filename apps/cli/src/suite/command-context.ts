import type { RouteClient } from '@kith/contracts';
import type { CliConfig } from './config.js';
import type { Terminal } from '../terminal/terminal.js';

/** Everything that a command works with. */
export interface CommandContext {
  readonly config: CliConfig;
  api: RouteClient;
  terminal: Terminal;
}
