import { join } from 'node:path';

/** Folder of the migrations that this version has. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../prisma/migrations');

/** Settings of migrations: the owner's address, the role they make for the services, and the folder they are in. */
export function migrationSettings(): { ownerUrl: string; appUrl: string | undefined; folder: string } {
  const ownerUrl = process.env['DATABASE_OWNER_URL'];
  if (!ownerUrl) {
    console.error('migrate: set DATABASE_OWNER_URL, for example postgres://kith:…@localhost:5432/kith');
    process.exit(1);
  }
  return { ownerUrl, appUrl: process.env['DATABASE_URL'], folder: MIGRATIONS_FOLDER };
}
