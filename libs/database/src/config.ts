import { join } from 'node:path';

/** Settings of migrations: the owner's address, the role they make for the services, and the folder they are in. */
export function migrationSettings(): { ownerUrl: string; appUrl: string | undefined; folder: string } {
  const ownerUrl = process.env['DATABASE_OWNER_URL'];
  if (!ownerUrl) {
    console.error('migrate: set DATABASE_OWNER_URL, for example postgres://kith:…@localhost:5432/kith');
    process.exit(1);
  }
  const folder = join(import.meta.dirname, '../../../prisma/migrations');
  return { ownerUrl, appUrl: process.env['DATABASE_URL'], folder };
}
