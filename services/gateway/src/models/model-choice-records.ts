import type { Database } from '@kith/database';
import type { KeptChoice } from './plan-choices.js';

/** Store of the chosen default models, in Postgres. */
export class ModelChoiceRecords {
  constructor(private readonly database: Database) {}

  all(): Promise<KeptChoice[]> {
    return this.database.reader('system').$queryRaw<KeptChoice[]>`
      SELECT host, role, model, chosen_at AS "chosenAt", replaced FROM model_choices`;
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
