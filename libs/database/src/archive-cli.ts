import { readBackup, writeBackup, type Counts } from './archive.js';
import { migrationSettings } from './config.js';

// Usage: node libs/database/dist/archive-cli.js write > FILE | read < FILE
// Called by scripts/backup and scripts/restore.

const { ownerUrl } = migrationSettings();

function say(verb: string, counts: Counts): void {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.error(`${verb} ${rows} rows of ${Object.keys(counts).length} tables`);
}

try {
  if (process.argv[2] === 'write') say('wrote', await writeBackup(ownerUrl, process.stdout, new Date()));
  else if (process.argv[2] === 'read') say('restored', await readBackup(ownerUrl, process.stdin));
  else throw new Error('usage: archive write > FILE | read < FILE');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
