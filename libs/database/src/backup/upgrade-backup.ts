import { beginCopy, copyTables, tableLines } from './backup-rows.js';
import { withClient } from '../connections/with-client.js';
import { deployMigrations } from '../migrations/deploy-migrations.js';

/** End of the name of the database in which an earlier backup becomes one of this version. */
const UPGRADING = '_upgrading';
/** Longest name that Postgres takes: it cuts a longer one, in silence. */
const MAX_NAME_BYTES = 63;

/**
 * Brings a backup of an earlier version to this one. Its tables are read into a database of their own, which has the
 * backup's migrations alone; then the later migrations change them, as they changed the rows of every other database.
 * @param work gets the tables as lines of a backup of this version
 */
export async function withUpgraded<T>(
  ownerUrl: string,
  { migrations, lines }: { migrations: readonly string[]; lines: AsyncGenerator<string> },
  folder: string,
  work: (lines: AsyncGenerator<string>) => Promise<T>,
): Promise<T> {
  const url = new URL(ownerUrl);
  url.pathname = `/${encodeURIComponent(upgradingBeside(ownerUrl))}`;
  await removeUpgrading(ownerUrl);
  try {
    await deployMigrations(url.href, folder, migrations);
    return await withClient(url.href, async (client) => {
      await beginCopy(client);
      await copyTables(client, lines);
      await client.query('COMMIT');
      await deployMigrations(url.href, folder);
      return work(tableLines(client));
    });
  } finally {
    // A failure here must not hide how the restore ended. The next start removes the database, too.
    await removeUpgrading(ownerUrl).catch(() => undefined);
  }
}

/** Removes what a restore that was cut off has left, with whoever is still connected: it holds what people said. */
export async function removeUpgrading(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) =>
    client.query(
      `DROP DATABASE IF EXISTS ${client.escapeIdentifier(upgradingBeside(ownerUrl))} WITH (FORCE)`,
    ),
  );
}

/** Name of the database for it, beside the one that an address names. */
function upgradingBeside(ownerUrl: string): string {
  let name = decodeURIComponent(new URL(ownerUrl).pathname.slice(1));
  while (Buffer.byteLength(name + UPGRADING) > MAX_NAME_BYTES) name = name.slice(0, -1);
  return name + UPGRADING;
}
