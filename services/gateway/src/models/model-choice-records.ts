import type { ModelChoice } from '@kith/llm';
import type { Database } from '@kith/database';
import type { KeptChoice } from './plan-choices.js';

/** The chosen default models, in Postgres. */
export class ModelChoiceRecords {
  constructor(private readonly database: Database) {}

  async all(): Promise<KeptChoice[]> {
    const rows = await this.database.asSystem((tx) => tx.modelChoice.findMany());
    return rows.map((row) => ({ ...row, role: row.role as ModelChoice['role'] }));
  }

  async save(choices: readonly KeptChoice[]): Promise<void> {
    await this.database.asSystem(async (tx) => {
      for (const { host, role, ...rest } of choices) {
        await tx.modelChoice.upsert({
          where: { host_role: { host, role } },
          create: { host, role, ...rest },
          update: rest,
        });
      }
    });
  }
}
