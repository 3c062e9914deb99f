import type { Database } from '@kith/database';
import type { ToolTraits } from './tool-traits.js';

/** Consents of people: tools that a companion may use for them without asking each time. */
export class ToolGrants {
  constructor(private readonly database: Database) {}

  /** Tells whether a person allowed this form of a tool for good. */
  async has(personId: string, companionId: string, { name, pin }: ToolTraits): Promise<boolean> {
    const rows = await this.database.reader({ personId }).$queryRaw<unknown[]>`
      SELECT 1 FROM tool_grants WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}
        AND tool = ${name} AND pin = ${pin}`;
    return rows.length > 0;
  }

  /** Lists what a person allowed a companion. */
  async of(personId: string, companionId: string): Promise<{ tool: string; pin: string }[]> {
    return this.database.reader({ personId }).$queryRaw<{ tool: string; pin: string }[]>`
      SELECT tool, pin FROM tool_grants
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}`;
  }

  async give(personId: string, companionId: string, { name, pin }: ToolTraits): Promise<void> {
    await this.database.writer({ personId }).$executeRaw`
      INSERT INTO tool_grants (person_id, companion_id, tool, pin)
      VALUES (${personId}::uuid, ${companionId}, ${name}, ${pin})
      ON CONFLICT (person_id, companion_id, tool) DO UPDATE SET pin = excluded.pin, given_at = now()`;
  }

  /** Takes a consent back. Returns whether there was one. */
  async takeBack(personId: string, companionId: string, tool: string): Promise<boolean> {
    const taken = await this.database.writer({ personId }).$executeRaw`
      DELETE FROM tool_grants
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND tool = ${tool}`;
    return taken > 0;
  }
}
