import { memoryContract, type Privacy } from '@kith/contracts';
import { sql, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { lockReplies, outdateReplies } from './empty-lines.js';

/** Talk that is not remembered, switched on and off in memory and in the transcript. */
export class PrivateTalk {
  constructor(
    private readonly database: Database,
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly tellOpenPages: (personId: string) => void,
  ) {}

  /**
   * Tells whether a person talks in private, after changing that where it is asked for. While it lasts only their own
   * prompts hold it; when it ends its words go. Safe to repeat.
   * @throws AppError `unavailable` without memory: nothing has changed then
   */
  async set(personId: string, isPrivate: boolean | undefined): Promise<Privacy> {
    const asked = { personId, ...(isPrivate !== undefined && { private: isPrivate }) };
    const privacy = await this.messenger.ask(memoryContract.privacy, asked);
    if (isPrivate === undefined) return privacy;
    if (privacy.since !== null) await this.begin(personId, new Date(privacy.since));
    else await this.end(personId);
    this.tellOpenPages(personId);
    return privacy;
  }

  private async begin(personId: string, since: Date): Promise<void> {
    await this.database.asSystem(async (tx) => {
      await outdateReplies(tx, personId);
      const { count } = await tx.person.updateMany({
        where: { id: personId, OR: [{ privateFrom: null }, { privateUntil: { not: null } }] },
        data: { privateFrom: since, privateUntil: null },
      });
      if (count === 0) return;
      // What was said after memory switched and before this.
      await tx.$executeRaw`
        UPDATE transcript AS line SET withheld = 'private' FROM turns
        WHERE turns.person_id = ${personId}::uuid AND turns.ended_at >= ${since} AND line.turn_id = turns.turn_id
          AND (line.at >= ${since} OR turns.started_at >= ${since}) AND line.withheld IS NULL`;
    });
  }

  private async end(personId: string): Promise<void> {
    await this.database.asSystem(async (tx) => {
      await outdateReplies(tx, personId);
      await tx.person.updateMany({
        where: { id: personId, privateFrom: { not: null }, privateUntil: null },
        data: { privateUntil: new Date() },
      });
      await lockReplies(
        tx,
        sql`withheld = 'private' AND text <> ''
          AND turn_id IN (SELECT turn_id FROM turns WHERE person_id = ${personId}::uuid)`,
      );
      await tx.$executeRaw`
        WITH ended AS (
          UPDATE transcript AS line SET text = '' FROM turns
          WHERE turns.person_id = ${personId}::uuid AND line.turn_id = turns.turn_id
            AND line.withheld = 'private' AND line.text <> ''
          RETURNING line.turn_id
        ), said AS (
          UPDATE inbox SET text = '' FROM ended WHERE inbox.turn_id = ended.turn_id
        )
        UPDATE outbox SET text = '' FROM ended
        WHERE outbox.turn_id = ended.turn_id AND outbox.status <> 'pending'`;
    });
  }
}
