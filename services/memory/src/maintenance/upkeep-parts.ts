import type { Database, TurnLedger } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Forgetter } from '../forget/forgetter.js';
import type { Embeddings } from '../index/embeddings.js';
import type { IndexGauges } from '../index/index-gauges.js';
import type { ReindexMonitor } from '../index/reindex-monitor.js';
import type { VectorIndex } from '../index/vector-index.js';

/** Collaborators of upkeep. */
export interface UpkeepParts {
  database: Database;
  index: VectorIndex;
  embeddings: Embeddings;
  monitor: ReindexMonitor;
  forgetting: Forgetter;
  ledger: TurnLedger;
  messenger: Messenger;
  gauges: IndexGauges;
  logger: Logger;
}
