import type { Database } from '@kith/database';
import type { ToolTraits } from './tool-traits.js';

/** Consents of people: tools that a companion may use for them without asking each time. */
export class ToolGrants {
  constructor(private readonly database: Database) {}

  /** Tells whether a person allowed this form of a tool for good. */
  async has(personId: string, companionId: string, { name, pin }: ToolTraits): Promise<boolean> {
    const rows = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<unknown[]>`
        SELECT 1 FROM tool_grants WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}
          AND tool = ${name} AND pin = ${pin}`,
    );
    return rows.length > 0;
  }

  /** Lists what a person allowed a companion. */
  async of(personId: string, companionId: string): Promise<{ tool: string; pin: string }[]> {
    return this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ tool: string; pin: string }[]>`
        SELECT tool, pin FROM tool_grants
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}`,
    );
  }

  async give(personId: string, companionId: string, { name, pin }: ToolTraits): Promise<void> {
    await this.database.write(
      { personId },
      (tx) => tx.$executeRaw`
        INSERT INTO tool_grants (person_id, companion_id, tool, pin)
        VALUES (${personId}::uuid, ${companionId}, ${name}, ${pin})
        ON CONFLICT (person_id, companion_id, tool) DO UPDATE SET pin = excluded.pin, given_at = now()`,
    );
  }

  /** Takes a consent back; nothing where there was none. */
  async takeBack(personId: string, companionId: string, tool: string): Promise<void> {
    await this.database.write(
      { personId },
      (tx) => tx.$executeRaw`
        DELETE FROM tool_grants
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND tool = ${tool}`,
    );
  }
}
