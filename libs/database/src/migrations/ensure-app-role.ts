import { withMigrationLock } from './with-migration-lock.js';

/**
 * Makes the role the services connect as, or gives it this password: neither owner nor superuser, so that
 * row-level security holds it. Grants it the rows of every table, and nothing else.
 */
export async function ensureAppRole(ownerUrl: string, role: string, password: string): Promise<void> {
  await withMigrationLock(ownerUrl, async (client) => {
    const name = client.escapeIdentifier(role);
    const secret = client.escapeLiteral(password);
    const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    // Postgres takes what comes in one query for one transaction: a role that is in use has no right in between that it
    // is not to have.
    await client.query(`
      ${found.rowCount ? 'ALTER' : 'CREATE'} ROLE ${name}
        LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD ${secret};
      GRANT USAGE ON SCHEMA public TO ${name};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name};
      GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${name};
      REVOKE UPDATE ON TABLE operator_actions FROM ${name}; -- append-only
      REVOKE UPDATE, DELETE ON TABLE revoked_keys FROM ${name}; -- so is this
      REVOKE ALL ON TABLE _prisma_migrations FROM ${name};`);
  });
}
