import type { Counts } from './backup/backup-rows.js';
import { checkBackup, readBackup, writeBackup } from './backup/backup.js';
import { MIGRATIONS_FOLDER, migrationSettings } from './config.js';

// Usage: node libs/database/dist/backup-cli.js write > FILE | check < FILE | read < FILE
// Called by scripts/backup and scripts/restore.

function say(verb: string, counts: Counts): void {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.error(`${verb} ${rows} rows of ${Object.keys(counts).length} tables`);
}

const commands: Record<string, () => Promise<void>> = {
  write: async () =>
    say('wrote', await writeBackup(migrationSettings().ownerUrl, process.stdout, new Date())),
  check: async () => {
    const { createdAt, counts } = await checkBackup(process.stdin, MIGRATIONS_FOLDER);
    say(`the backup of ${createdAt} holds`, counts);
  },
  read: async () => {
    const { ownerUrl, folder } = migrationSettings();
    say('restored', await readBackup(ownerUrl, process.stdin, folder));
  },
};

try {
  const command = commands[process.argv[2] ?? ''];
  if (!command) throw new Error('usage: backup write > FILE | check < FILE | read < FILE');
  await command();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
