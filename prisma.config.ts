import { defineConfig } from 'prisma/config';

// Read by the Prisma CLI for `generate` alone; migrations are run by libs/database, which takes its own URL.
export default defineConfig({ schema: 'prisma/schema', migrations: { path: 'prisma/migrations' } });
