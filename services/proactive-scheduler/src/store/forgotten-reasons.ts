import { lockSettings } from './stored-settings.js';
import type { outreachContract, RequestOutput, ResponseInput } from '@kith/contracts';
import {
  lockUntilEnd,
  sealOrderOf,
  type Database,
  type SealedRows,
  type SealOrder,
  type Sql,
  type TurnLedger,
  type Writer,
  sql,
  toJsonb,
  columnOf,
} from '@kith/database';
import {
  divideRequests,
  joinRequests,
  leaveToOthers,
  type SharedRequest,
  type StoredRequest,
  TURN_SOURCE,
} from './said-elsewhere.js';

/** Columns of an attempt that an order blanks: whether it was sent, arrived or was answered goes on meanwhile. */
const BLANKED = { outreach_attempts: ['reason', 'because'] };

/** Removes reasons to write that come from forgotten words, and restores them on an undo. */
export class ForgottenReasons {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedRows,
    private readonly ledger: TurnLedger,
  ) {}

  /**
   * Removes intentions that come from these turns, messages or memories, and promises made in replies that are removed.
   * Where the person asked for the same, reading the turn again restores the request. A request that another turn contains
   * too is kept, as that turn's. Keeps attempts without their words, because they count towards the limits. Queued attempts
   * become failed and are returned for the gateway to cancel. Safe to repeat.
   */
  forget(
    request: RequestOutput<typeof outreachContract.forget>,
  ): Promise<ResponseInput<typeof outreachContract.forget>> {
    const { orderId, personId, companionId, turnIds, messageIds, memoryIds, before } = request;
    const isPromisedIn = sql`(gone.kind = 'promise' AND gone.turn_id = ANY (${[...request.replyTurnIds]}::uuid[]))`;
    const order = sealOrderOf(request);
    const sources = [
      ...turnIds.map((id) => `${TURN_SOURCE}${id}`),
      ...messageIds.map((id) => `message:${id}`),
      ...memoryIds.map((id) => `memory:${id}`),
    ];
    const isMeant = sql`gone.person_id = ${personId}::uuid
      AND (${companionId}::text IS NULL OR gone.companion_id = ${companionId})
      AND (gone.turn_id = ANY (${[...turnIds]}::uuid[]) OR gone.sources && ${sources}::text[]
        OR ${isPromisedIn} OR gone.created_at <= ${before}::timestamptz)`;
    // Reading a turn again decides on its dropped reasons. What an earlier order sealed of them is named as ever.
    const isLeft = sql`${request.isNoticedAgain} AND gone.status = 'dropped' AND gone.turn_id IS NOT NULL
      AND gone.sources && ${turnIds.map((id) => `${TURN_SOURCE}${id}`)}::text[] AND NOT ${isPromisedIn}
      AND gone.id IN (SELECT id FROM intentions)`;
    const isTaken = sql`${isMeant} AND NOT (${isLeft})`;
    return this.database.asPerson(personId, async (tx) => {
      await lockOrders(tx, personId);
      await this.ledger.noteForgotten(tx, personId, turnIds);
      // A decision on one of these reasons ends before this, so that its attempt is seen, or finds the reason gone. After
      // the ledger, as whoever reads a turn does.
      await lockSettings(tx, personId);
      await this.divideWhatIsShared(tx, order, request, isTaken, sources);
      const attemptIds = await columnOf(tx)`
        SELECT attempt.id FROM outreach_attempts AS attempt
        WHERE person_id = ${personId}::uuid
          AND (sources && ${sources}::text[] OR intention_id IN (SELECT id FROM intentions AS gone WHERE ${isMeant}))`;
      const isAttempt = sql`gone.person_id = ${personId}::uuid AND gone.id = ANY (${attemptIds}::uuid[])
        AND gone.reason <> ''`;
      // An undo does not restore a queued attempt: its time may be over by then.
      await this.sealed.copy(tx, order, 'outreach_attempts', sql`${isAttempt} AND gone.status <> 'queued'`, [
        'id',
      ]);
      await tx.$executeRaw`
        UPDATE outreach_attempts AS gone SET reason = '', because = '',
          status = CASE WHEN status = 'queued' THEN 'failed' ELSE status END,
          problem = CASE WHEN status = 'queued' THEN 'what it was about was forgotten' ELSE problem END
        WHERE ${isAttempt}`;
      const rows = await this.sealed.removeAlsoSealed(tx, order, 'intentions', isTaken);
      // Words of attempts that earlier orders sealed, and that this order names too, are deleted for good.
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
   * Moves requests from the forgotten turns to other turns that contain them, with their attempts. An order with a
   * time moves none from before it. Each forgotten turn's part is sealed by itself, as another order may name one turn and
   * not the other; of a request whose turns are all forgotten, one part is left to be removed.
   */
  private async divideWhatIsShared(
    tx: Writer,
    order: SealOrder,
    { before, replyTurnIds }: Pick<RequestOutput<typeof outreachContract.forget>, 'before' | 'replyTurnIds'>,
    isMeant: Sql,
    sources: readonly string[],
  ): Promise<void> {
    const lost = new Set(sources);
    const unpromised = new Set(replyTurnIds.map((id) => `${TURN_SOURCE}${id}`));
    const isBefore = sql`gone.created_at <= ${before}::timestamptz`;
    const divided = [
      ...(await divideRequests(tx, sql`${isMeant} AND (${isBefore}) IS TRUE`, () => true)),
      ...(await divideRequests(
        tx,
        sql`${isMeant} AND (${isBefore}) IS NOT TRUE`,
        (source, kind) => lost.has(source) || (kind === 'promise' && unpromised.has(source)),
      )),
    ];
    await this.sealParts(
      tx,
      order,
      divided.flatMap(({ left, taken }) => (left ? taken : taken.slice(1))),
    );
    await leaveToOthers(
      tx,
      divided.flatMap(({ left, taken }) => (left ? [] : taken.slice(0, 1))),
    );
    const left = await leaveToOthers(
      tx,
      divided.flatMap((one) => one.left ?? []),
    );
    if (left.length > 0)
      await tx.$executeRaw`
        UPDATE outreach_attempts
        SET sources = ARRAY(SELECT source FROM unnest(sources) AS source WHERE source <> ALL (${[...sources]}::text[]))
        WHERE intention_id = ANY (${left}::uuid[]) AND sources && ${[...sources]}::text[]
          AND NOT sources <@ ${[...sources]}::text[]`;
  }

  private async sealParts(tx: Writer, order: SealOrder, parts: readonly SharedRequest[]): Promise<void> {
    if (parts.length === 0) return;
    await this.sealed.add(
      tx,
      order,
      'intentions',
      sql`
        SELECT part.* FROM jsonb_to_recordset(${toJsonb(parts)}::jsonb)
          AS taken (id uuid, "turnId" uuid, kind text, sources jsonb)
        JOIN intentions AS one USING (id)
        CROSS JOIN LATERAL jsonb_populate_record(
          one, jsonb_build_object('turn_id', taken."turnId", 'kind', taken.kind, 'sources', taken.sources)) AS part
        WHERE one.person_id = ${order.personId}::uuid`,
    );
  }

  /**
   * Restores what an order removed and no other order names, while it can be undone: of a request that other turns contain,
   * its part. A cancelled attempt stays cancelled. Returns the number of rows.
   */
  async undo({ orderId, personId }: RequestOutput<typeof outreachContract.undoForget>): Promise<number> {
    return this.database.asPerson(personId, async (tx) => {
      await lockOrders(tx, personId);
      // A change of consent under way ends before this: opting out marks as dropped what comes back here.
      await lockSettings(tx, personId);
      const parts = await this.sealed.held<StoredRequest>(tx, orderId, 'intentions');
      const restored = [...(await this.sealed.restore(tx, orderId, BLANKED)).values()].flat();
      const joined = await joinRequests(tx, parts);
      return new Set([...restored.map(({ id }) => id), ...joined]).size;
    });
  }
}

/** Serializes a person's orders to forget and their undos: an order may name rows that the undo of another restores. */
function lockOrders(tx: Writer, personId: string): Promise<void> {
  return lockUntilEnd(tx, `outreach:${personId}`);
}
