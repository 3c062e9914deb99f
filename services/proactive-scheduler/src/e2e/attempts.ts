import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { outreachContract } from '@kith/contracts';
import { uuid7 } from '@kith/database';
import { stores, messenger, overview, allow } from './open-scheduler.js';

/** Tests what people and operators are told of attempts. */
export function attempts(): void {
  it('tells its person of an attempt without the messages that it came from', async () => {
    const personId = randomUUID();
    await allow(personId);
    await stores.query(
      `INSERT INTO outreach_attempts (id, person_id, companion_id, kind, reason, sources, decided_at)
       VALUES (gen_random_uuid(), $1, 'odo', 'interest', 'it was thought of', '{thought,message:m 1}', now())`,
      [personId],
    );
    expect((await overview(personId)).recent).toMatchObject([{ sources: ['thought'] }]);
  });

  it('goes on listing attempts behind one that is told no more', async () => {
    const personId = randomUUID();
    const ids = [uuid7(), uuid7(), uuid7()];
    for (const id of ids)
      await stores.query(
        `INSERT INTO outreach_attempts (id, person_id, companion_id, reason, decided_at)
         VALUES ($1, $2, 'odo', 'it was thought of', now())`,
        [id, personId],
      );
    const list = async (limit: number, cursor?: string) =>
      messenger.ask(outreachContract.attempts, { personId, limit, ...(cursor !== undefined && { cursor }) });
    const { attempts, nextCursor } = await list(1);
    expect(attempts).toMatchObject([{ id: ids[2] }]);
    await stores.query('DELETE FROM outreach_attempts WHERE id = $1', [ids[2]]);
    expect((await list(2, nextCursor!)).attempts).toMatchObject([{ id: ids[1] }, { id: ids[0] }]);
  });
}
