import { present } from '@kith/contracts/present';
import { hasChecksum, type Migration } from './read-migrations.js';

/** A row of `_prisma_migrations`: one attempt to apply a migration. */
export interface MigrationAttempt {
  name: string;
  checksum: string;
  startedAt: Date;
  /** Null when it failed or was cut off. */
  finishedAt: Date | null;
  /** Set when it was undone, and is to be forgotten. */
  rolledBackAt: Date | null;
  /** Error that ended it. */
  logs: string | null;
}

/**
 * Lists the migrations that are still to be applied, in order.
 * @throws Error with one line that says what to do, when the database and the files disagree
 */
export function planMigrations(files: Migration[], attempts: MigrationAttempt[]): Migration[] {
  const standing = attempts.filter(({ rolledBackAt }) => !rolledBackAt);
  const failed = standing.find(({ finishedAt }) => !finishedAt);
  if (failed) throw new Error(failedLine(failed));
  const byName = new Map(files.map((file) => [file.name, file]));
  const unknown = standing.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
  if (unknown.length > 0) throw new Error(newerLine(unknown));
  const changed = standing.find(
    ({ name, checksum }) => !hasChecksum(present(byName.get(name)).sql, checksum),
  );
  if (changed) throw new Error(changedLine(changed.name));
  const applied = new Set(standing.map(({ name }) => name));
  return files.filter(({ name }) => !applied.has(name));
}

function failedLine({ name, startedAt, logs }: MigrationAttempt): string {
  const lines = logs?.trim().split('\n') ?? [];
  // Prisma tells first that a migration failed, and far below what Postgres said.
  const reason = lines.find((line) => line.startsWith('ERROR:')) ?? (lines[0] || 'it was cut off');
  return (
    `migration ${name} began on ${startedAt.toISOString()} and did not finish (${reason}): look at what it left, ` +
    `undo that or complete it by hand, then run "migrate-cli.js resolve ${name}" with --rolled-back or --applied`
  );
}

function newerLine(names: string[]): string {
  const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return (
    `this database is of a newer version: it has migration ${names[0]}${more}, which this version lacks. ` +
    'Install that version or a later one, or restore a backup that this version wrote'
  );
}

function changedLine(name: string): string {
  return (
    `migration ${name} was changed after it was applied to this database: ` +
    'put prisma/migrations back as it was released, and write the change as a new migration'
  );
}
