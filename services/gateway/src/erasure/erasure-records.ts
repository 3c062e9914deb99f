import {
  AppError,
  readTimeCursor,
  ErasureView,
  type Holdings,
  timesAsText,
  type ReadTurn,
} from '@kith/contracts';
import {
  columnOf,
  inBatches,
  isOverdue,
  PersonRows,
  sql,
  type Database,
  type ErasureModel,
  type Tx,
} from '@kith/database';
import type { AccountId, AccountMarks } from '../people/account-marks.js';
import { deleteSharedLines, type MadeForOthers } from '../redaction/delete-shared-lines.js';

/** Tables of the gateway that hold rows of people, in the order in which they are emptied. */
const TABLES = (
  'inbox transcript turns outbox epochs conversations identities api_keys people ' +
  'forget_orders sealed_lines tool_grants tool_calls turn_steps'
).split(' ');
/** Rows of usage that lose their person in one transaction, as many as `PersonRows` removes. */
const USAGE_BATCH = 5_000;

/** A message that waited for its turn when its person was erased. */
export interface DroppedMessage extends Pick<ReadTurn, 'conversationId' | 'companionId' | 'door' | 'origin'> {
  inboxId: bigint;
  externalId: string;
}

/** Erasures in Postgres, and the gateway's own part of them. */
export class ErasureRecords {
  private readonly rows: PersonRows;

  constructor(
    private readonly database: Database,
    private readonly marks: AccountMarks,
  ) {
    this.rows = new PersonRows(database, [...TABLES, 'usage']);
  }

  /** Counts the gateway's rows of a person. @throws AppError `not_found` */
  async holdings(personId: string): Promise<Holdings> {
    const counts = await this.rows.count(personId);
    if (!counts['people']) throw new AppError('not_found', `no person ${personId}`);
    return counts;
  }

  /**
   * Sets the tombstone. Once it is committed no table takes a row for them, and no key or account of theirs is known,
   * but when it was erased. Messages that waited for a turn are dropped. Returns those; null when the tombstone was set before.
   * @throws AppError `not_found`
   */
  begin(personId: string, askedBy: ErasureView['askedBy']): Promise<DroppedMessage[] | null> {
    return this.database.asSystem(async (tx) => {
      if (await tx.erasure.findUnique({ where: { erasedId: personId } })) return null;
      // Locks in the order of a turn's commit, so that neither waits for the other for ever.
      await tx.$queryRaw`
        SELECT id FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL ORDER BY id FOR UPDATE`;
      await tx.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(kith_erasure_lock(${personId}::uuid))) AS held`;
      const counts = await this.rows.countIn(tx, personId);
      const isNew = await tx.$executeRaw`
        INSERT INTO erasures (erased_id, asked_by, counts)
        VALUES (${personId}::uuid, ${askedBy}, ${JSON.stringify({ gateway: counts })}::jsonb)
        ON CONFLICT DO NOTHING`;
      if (isNew === 0) return null;
      if (!counts['people']) throw new AppError('not_found', `no person ${personId}`);
      const dropped = await dropOpen(tx, personId);
      await deleteKeys(tx, personId);
      await this.markAccounts(tx, personId);
      await tx.person.delete({ where: { id: personId } });
      // Their places are free at once: who comes back is somebody new there.
      await tx.conversation.deleteMany({ where: { personId } });
      return dropped;
    });
  }

  /** Notes when the person of these accounts was erased: what they wrote before does not come again. */
  private async markAccounts(tx: Tx, personId: string): Promise<void> {
    const accounts = await tx.$queryRaw<AccountId[]>`
      -- Who has keys alone has an account named by their id, which no door brings again.
      SELECT door, subject FROM identities WHERE person_id = ${personId}::uuid AND subject <> person_id::text`;
    await tx.$executeRaw`
      INSERT INTO erased_accounts (mark, erased_at)
      SELECT mark, now() FROM unnest(${accounts.map((account) => this.marks.of(account))}::text[]) AS account (mark)
      ON CONFLICT (mark) DO UPDATE SET erased_at = greatest(erased_accounts.erased_at, excluded.erased_at)`;
  }

  /**
   * Removes what is left here: what was said and what it led to, with what replies to others repeat of it. Its cost
   * stays, without a person.
   */
  async eraseRest(personId: string, made: MadeForOthers): Promise<void> {
    await deleteSharedLines(this.database, personId, made);
    const unname = () => this.database.writer('system').$executeRaw`
      UPDATE usage SET person_id = NULL, turn_id = NULL, conversation_id = NULL
      WHERE id = ANY (ARRAY(SELECT id FROM usage WHERE person_id = ${personId}::uuid LIMIT ${USAGE_BATCH}))`;
    await inBatches(USAGE_BATCH, unname);
    await this.rows.erase(personId);
  }

  /** Notes how many rows a service held. The first note stays: after a try that was broken off there are fewer rows. */
  async noteCounts(personId: string, service: string, holdings: Holdings): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE erasures SET counts = jsonb_build_object(${service}::text, ${JSON.stringify(holdings)}::jsonb) || counts
      WHERE erased_id = ${personId}::uuid`;
  }

  /** Notes that a service holds nothing any more. */
  async noteDone(personId: string, service: string): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE erasures SET done = array_append(done, ${service})
      WHERE erased_id = ${personId}::uuid AND ${service} <> ALL (done)`;
  }

  /** Notes the end of an erasure. */
  async finish(personId: string, now: Date): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.erasure.updateMany({ where: { erasedId: personId, finishedAt: null }, data: { finishedAt: now } }),
    );
  }

  /** Finds the erasure of a person. */
  async find(personId: string): Promise<ErasureModel | null> {
    return this.database.asSystem((tx) => tx.erasure.findUnique({ where: { erasedId: personId } }));
  }

  /** Finds people whose erasure was asked for at least `overdueMs` ago and is not finished. */
  open(overdueMs: number): Promise<string[]> {
    return columnOf(this.database.reader('system'))`
      SELECT erased_id FROM erasures
      WHERE finished_at IS NULL AND ${isOverdue(sql`asked_at`, overdueMs)} LIMIT 100`;
  }

  /** Lists erasures, the newest first, from after `cursor` on. */
  page(limit: number, cursor: string | undefined): Promise<ErasureModel[]> {
    const after = cursor === undefined ? null : readTimeCursor(cursor);
    return this.database.asSystem((tx) =>
      tx.erasure.findMany({
        where: after
          ? { OR: [{ askedAt: { lt: after.at } }, { askedAt: after.at, erasedId: { lt: after.id } }] }
          : {},
        orderBy: [{ askedAt: 'desc' }, { erasedId: 'desc' }],
        take: limit,
      }),
    );
  }
}

/** Shows an erasure as the receipt that people and operators get. */
export function viewErasure(row: ErasureModel): ErasureView {
  return ErasureView.parse({ ...timesAsText(row), personId: row.erasedId, stores: row.counts });
}

/** Deletes a person's keys. Of those that were revoked the hash stays: none of them is ever a key again. */
async function deleteKeys(tx: Tx, personId: string): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM api_keys WHERE person_id = ${personId}::uuid RETURNING hash, revoked_at, session_of)
    -- A restore may have noted it already.
    INSERT INTO revoked_keys SELECT hash FROM gone WHERE revoked_at IS NOT NULL AND session_of IS NULL
    ON CONFLICT DO NOTHING`;
}

/** Drops what waits for a turn or for its delivery. */
async function dropOpen(tx: Tx, personId: string): Promise<DroppedMessage[]> {
  await tx.$executeRaw`
    UPDATE outbox SET status = 'dropped', last_error = 'erased', settled_at = now()
    WHERE person_id = ${personId}::uuid AND status = 'pending'`;
  return tx.$queryRaw<DroppedMessage[]>`
    UPDATE inbox SET outcome = 'dropped', outcome_reason = 'erased', ended_at = now(), revision = revision + 1
    FROM conversations
    WHERE inbox.person_id = ${personId}::uuid AND outcome IS NULL
      AND conversations.conversation_id = inbox.conversation_id
    RETURNING inbox.id AS "inboxId", inbox.conversation_id AS "conversationId", companion_id AS "companionId",
      inbox.door, inbox.origin, inbox.external_id AS "externalId"`;
}
