/** Settings of migrations: the owner's address, and the role they make for the services. */
export function migrationSettings(): { ownerUrl: string; appUrl: string | undefined } {
  const ownerUrl = process.env['DATABASE_OWNER_URL'];
  if (!ownerUrl) {
    console.error('migrate: set DATABASE_OWNER_URL, for example postgres://kith:…@localhost:5432/kith');
    process.exit(1);
  }
  return { ownerUrl, appUrl: process.env['DATABASE_URL'] };
}
