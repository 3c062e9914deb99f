import { ApiScope } from '@kith/contracts';
import { isDuplicate, type Database, type Writer } from '@kith/database';
import { addKey, addPerson, hashOf } from './key-rows.js';

/** Name of the operator's own keys in lists, by which the next one finds its person: no other key may have it. */
export const OPERATOR_KEY_NAME = 'operator';

/** The operator's own key from the settings, made by scripts/up. */
export class OperatorKey {
  constructor(
    private readonly database: Database,
    private readonly settings: { bootstrapKey: string | undefined; ownerName: string },
  ) {}

  /**
   * Stores the key where it is not known yet: for the person of the operator's first key, else for a new one, and gives
   * that person the name of the settings. One that was revoked stays so, also after its person was erased. Safe to repeat.
   * Tells whether the key may be used, where one is set.
   */
  async ensure(): Promise<boolean> {
    const { bootstrapKey: key, ownerName } = this.settings;
    if (!key) return true;
    const hash = hashOf(key);
    try {
      return await this.database.write('system', async (tx) => {
        const known = await tx.$queryRaw<{ revoked: boolean }[]>`
          SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE hash = ${hash}
          UNION ALL SELECT true FROM revoked_keys WHERE hash = ${hash}`;
        if (known.some(({ revoked }) => revoked)) return false;
        if (known.length === 0) await this.add(tx, hash);
        // The name may have been set since, and no door says another.
        await tx.$executeRaw`
          UPDATE people SET display_name = ${ownerName} FROM api_keys AS key
          WHERE hash = ${hash} AND key.name = ${OPERATOR_KEY_NAME} AND made_by IS NULL
            AND people.person_id = key.person_id AND display_name <> ${ownerName}`;
        return true;
      });
    } catch (error) {
      // Two replicas start at once: the other one stored it, and what this one began is rolled back.
      if (!isDuplicate(error)) throw error;
      return true;
    }
  }

  private async add(tx: Writer, hash: string): Promise<void> {
    const [earlier] = await tx.$queryRaw<{ personId: string }[]>`
      SELECT person_id AS "personId" FROM api_keys
      WHERE name = ${OPERATOR_KEY_NAME} AND 'admin' = ANY (scopes) AND session_of IS NULL AND made_by IS NULL
      ORDER BY id LIMIT 1`;
    const personId = earlier?.personId ?? (await addPerson(tx, this.settings.ownerName));
    await addKey(tx, { personId, name: OPERATOR_KEY_NAME, hash, scopes: ApiScope.options, expiresAt: null });
  }
}
