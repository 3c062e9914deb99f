import { indexSettings } from './config.js';
import { readSnapshots, writeSnapshots } from './index/qdrant/snapshots.js';

// Usage: node services/memory/dist/snapshot-cli.js write > FILE | read < FILE
// Called by scripts/backup and scripts/restore. Where vectors are in Postgres, there is nothing to do.

try {
  const command = process.argv[2];
  if (command !== 'write' && command !== 'read')
    throw new Error('usage: snapshots write > FILE | read < FILE');
  const source = indexSettings();
  if (source !== null) {
    const count = await (command === 'write'
      ? writeSnapshots(source, process.stdout)
      : readSnapshots(source, process.stdin));
    console.error(`${command === 'write' ? 'wrote' : 'restored'} the vectors of ${count} embedding spaces`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
