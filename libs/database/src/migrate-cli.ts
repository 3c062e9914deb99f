import { migrationSettings } from './config.js';
import { deployMigrations, resolveMigration } from './migrations/deploy-migrations.js';
import { ensureAppRole } from './migrations/ensure-app-role.js';
import { removeUpgrading } from './backup/upgrade-backup.js';

/** Postgres' code for a password that is not the role's. */
const WRONG_PASSWORD = '28P01';
const USAGE = 'usage: migrate-cli.js deploy | resolve <migration> --rolled-back | --applied';

const [command, name, flag] = process.argv.slice(2);
const { ownerUrl, appUrl, folder } = migrationSettings();

/** Migrates as the owner, and makes the application role. It runs before the services. */
async function deploy(): Promise<void> {
  const applied = await deployMigrations(ownerUrl, folder);
  console.log(applied.length ? `applied ${applied.join(', ')}` : 'no pending migrations');
  await removeUpgrading(ownerUrl).catch((error: unknown) =>
    console.error(`what a restore has left could not be removed: ${(error as Error).message}`),
  );
  if (!appUrl) return;
  const app = new URL(appUrl);
  await ensureAppRole(ownerUrl, decodeURIComponent(app.username), decodeURIComponent(app.password));
}

async function run(): Promise<void> {
  if (command === 'deploy') return deploy();
  const outcome = flag === '--applied' ? 'applied' : flag === '--rolled-back' ? 'rolled-back' : null;
  if (command !== 'resolve' || !name || !outcome) throw new Error(USAGE);
  await resolveMigration(ownerUrl, name, outcome);
  console.log(`${name} counts as ${outcome}`);
}

await run().catch((error: unknown) => {
  // Node gathers the failures of several addresses under an empty message.
  const { message, code } = error as NodeJS.ErrnoException;
  const mend =
    code === WRONG_PASSWORD
      ? '. The database keeps the POSTGRES_PASSWORD of its first start: put that .env back'
      : '';
  console.error(`migrate: ${message || code}${mend}`);
  process.exitCode = 1;
});
