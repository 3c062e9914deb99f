import { join } from 'node:path';
import { migrationSettings } from './config.js';
import { createMigration, deployMigrations, ensureAppRole, findDrift } from './migrations.js';

// Usage: node libs/database/dist/migrate-cli.js deploy | create <name> [--by-hand] | check
// `deploy` also makes the application role. Run before the services, as the owner.

const [command, name, flag] = process.argv.slice(2);
const settings = migrationSettings();
const source = {
  url: settings.ownerUrl,
  directory: settings.directory ?? join(import.meta.dirname, '../../../prisma'),
};

// A panic of the WASM engine surfaces as an uncaught exception, and its promise would never settle.
process.on('uncaughtException', (error) => {
  console.error(`migrate: ${error.message}`);
  process.exit(1);
});

async function run(): Promise<number> {
  switch (command) {
    case 'deploy': {
      const applied = await deployMigrations(source);
      console.log(applied.length ? `applied ${applied.join(', ')}` : 'no pending migrations');
      if (settings.appUrl) {
        const app = new URL(settings.appUrl);
        await ensureAppRole(source.url, decodeURIComponent(app.username), decodeURIComponent(app.password));
      }
      return 0;
    }
    case 'create': {
      if (!/^[a-z0-9_]+$/.test(name ?? '')) break;
      const kind = flag === '--by-hand' ? 'by-hand' : 'from-schema';
      const folder = await createMigration(source, name!, kind, new Date());
      console.log(folder ? `created prisma/migrations/${folder}` : 'the schema is unchanged');
      return 0;
    }
    case 'check': {
      const drift = await findDrift(source);
      console.log(drift || 'migrations and schema agree');
      return drift ? 2 : 0;
    }
    default:
  }
  console.error('usage: migrate deploy | create <name_in_snake_case> [--by-hand] | check');
  return 2;
}

process.exit(
  await run().catch((error: unknown) => {
    console.error(`migrate: ${(error as Error).message}`);
    return 1;
  }),
);
