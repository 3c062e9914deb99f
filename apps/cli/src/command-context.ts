import type { ApiClient } from './api/api-client.js';
import type { CliConfig } from './config.js';
import type { Terminal } from './terminal/terminal.js';

/** What a command works with. */
export interface CommandContext {
  config: CliConfig;
  api: ApiClient;
  terminal: Terminal;
}
