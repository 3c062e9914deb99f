import type { outreachContract, RequestOutput, ResponseInput } from '@kith/contracts';
import {
  lockUntilEnd,
  type Database,
  type SealedRows,
  type SealOrder,
  type Sql,
  type TurnLedger,
  type Writer,
  sql,
} from '@kith/database';
import { findSaidElsewhere, leaveToOthers, TURN_SOURCE } from './said-elsewhere.js';

/** Lets go of reasons to write whose words were forgotten, and brings them back. */
export class ForgottenReasons {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedRows,
    private readonly ledger: TurnLedger,
  ) {}

  /**
   * Removes the intentions that these turns, messages or memories gave, and what was promised in replies that go: where
   * that was asked for as well, reading the turn again gives the request back. A request that another turn says as well
   * stays, as that turn's. Attempts stay, without their words, for they count towards what a person allows; those under way
   * have failed, and are named for the gateway. Safe to repeat.
   */
  forget(
    request: RequestOutput<typeof outreachContract.forget>,
  ): Promise<ResponseInput<typeof outreachContract.forget>> {
    const { orderId, personId, companionId, turnIds, messageIds, memoryIds, before, undoUntil } = request;
    const isPromisedIn = sql`(gone.kind = 'promise' AND gone.turn_id = ANY (${[...request.replyTurnIds]}::uuid[]))`;
    const order = { orderId, personId, until: undoUntil === null ? null : new Date(undoUntil) };
    const sources = [
      ...turnIds.map((id) => `${TURN_SOURCE}${id}`),
      ...messageIds.map((id) => `message:${id}`),
      ...memoryIds.map((id) => `memory:${id}`),
    ];
    const isMeant = sql`gone.person_id = ${personId}::uuid
      AND (${companionId}::text IS NULL OR gone.companion_id = ${companionId})
      AND (gone.turn_id = ANY (${[...turnIds]}::uuid[]) OR gone.sources && ${sources}::text[]
        OR ${isPromisedIn} OR gone.created_at <= ${before}::timestamptz)`;
    return this.database.asPerson(personId, async (tx) => {
      await lockOrders(tx, personId);
      // Marked as handled, so that whoever is reading one of these turns now keeps nothing of it.
      await this.ledger.noteAll(
        tx,
        personId,
        turnIds.map((turnId) => ({ turnId })),
      );
      await this.leaveWhatIsSaidElsewhere(tx, order, request, isMeant, sources);
      const attempts = await tx.$queryRaw<{ id: string }[]>`
        SELECT attempt.id FROM outreach_attempts AS attempt
        WHERE person_id = ${personId}::uuid
          AND (sources && ${sources}::text[] OR intention_id IN (SELECT id FROM intentions AS gone WHERE ${isMeant}))`;
      const attemptIds = attempts.map(({ id }) => id);
      const isAttempt = sql`gone.person_id = ${personId}::uuid AND gone.id = ANY (${attemptIds}::uuid[])
        AND gone.reason <> ''`;
      // One that is called off does not come back with an undo: its time may be over by then.
      await this.sealed.copy(tx, order, 'outreach_attempts', sql`${isAttempt} AND gone.status <> 'queued'`, [
        'id',
      ]);
      await tx.$executeRaw`
        UPDATE outreach_attempts AS gone SET reason = '', because = '',
          status = CASE WHEN status = 'queued' THEN 'failed' ELSE status END,
          problem = CASE WHEN status = 'queued' THEN 'what it was about was forgotten' ELSE problem END
        WHERE ${isAttempt}`;
      const rows = await this.sealed.remove(tx, order, 'intentions', isMeant);
      await this.sealed.sealAlso(tx, order, 'intentions', isMeant);
      // Words that earlier orders took from attempts, and this one names as well, nobody gets back.
      await this.sealed.burn(
        tx,
        sql`person_id = ${personId}::uuid AND order_id <> ${orderId}::uuid AND relation = 'outreach_attempts'
          AND EXISTS (
            SELECT FROM jsonb_populate_record(NULL::outreach_attempts, row) AS attempt
            WHERE (${companionId}::text IS NULL OR companion_id = ${companionId})
              AND (sources && ${sources}::text[] OR decided_at <= ${before}::timestamptz))`,
      );
      return { rows: rows + attemptIds.length, attemptIds };
    });
  }

  /**
   * Leaves requests to the turns beside the lost ones that say them, with what was begun for them. Of all that was kept
   * before a time nothing is left, whoever said it since.
   */
  private async leaveWhatIsSaidElsewhere(
    tx: Writer,
    order: SealOrder,
    { before, replyTurnIds }: Pick<RequestOutput<typeof outreachContract.forget>, 'before' | 'replyTurnIds'>,
    isMeant: Sql,
    sources: readonly string[],
  ): Promise<void> {
    const lost = new Set(sources);
    const unpromised = new Set(replyTurnIds.map((id) => `${TURN_SOURCE}${id}`));
    const said = await findSaidElsewhere(
      tx,
      sql`${isMeant} AND (gone.created_at <= ${before}::timestamptz) IS NOT TRUE`,
      (source, kind) => lost.has(source) || (kind === 'promise' && unpromised.has(source)),
    );
    const isSaid = sql`gone.person_id = ${order.personId}::uuid AND gone.id = ANY (${said.map(({ id }) => id)}::uuid[])`;
    // An undo leaves alone what was written for meanwhile.
    if (said.length > 0) await this.sealed.copy(tx, order, 'intentions', isSaid, ['id', 'status']);
    const left = await leaveToOthers(tx, said);
    if (left.length > 0)
      await tx.$executeRaw`
        UPDATE outreach_attempts
        SET sources = ARRAY(SELECT source FROM unnest(sources) AS source WHERE source <> ALL (${[...sources]}::text[]))
        WHERE intention_id = ANY (${left}::uuid[]) AND sources && ${[...sources]}::text[]
          AND NOT sources <@ ${[...sources]}::text[]`;
    // What earlier orders left to others, and this one names as well, does not get back what it was before.
    await this.sealed.burn(
      tx,
      sql`person_id = ${order.personId}::uuid AND order_id <> ${order.orderId}::uuid AND relation = 'intentions'
        AND key IS NOT NULL AND EXISTS (
          SELECT FROM jsonb_populate_record(NULL::intentions, row) AS gone WHERE ${isMeant})`,
    );
  }

  /**
   * Puts back what an order took and no other names, as long as that can be undone. An attempt that was called off stays
   * so.
   */
  async undo({ orderId, personId }: RequestOutput<typeof outreachContract.undoForget>): Promise<number> {
    return this.database.asPerson(personId, async (tx) => {
      await lockOrders(tx, personId);
      const restored = await this.sealed.restore(tx, orderId);
      return [...restored.values()].flat().length;
    });
  }
}

/** Locks a person's orders to forget to the end of the transaction: one may name what the undo of another brings back. */
function lockOrders(tx: Writer, personId: string): Promise<void> {
  return lockUntilEnd(tx, `outreach:${personId}`);
}
