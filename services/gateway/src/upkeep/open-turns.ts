import { lastOf, MAX_TURNS_ASKED } from '@kith/contracts';
import { isOverdue, LEDGER_DAYS, sql, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { FOLLOW_UPS } from '../outcome/follow-ups.js';
import {
  openFollowUpsOf,
  planFollowUps,
  type Answer,
  type FollowUp,
  type FollowUpPlan,
  type OpenTurn,
} from '../outcome/plan-follow-ups.js';

/** Pages of a round, so that it ends within seconds. Open turns beyond them are for later rounds. */
const MAX_PAGES = 8;
/** Days after which a service may have forgotten that it handled a turn, with one for clocks that differ. */
const OLD_DAYS = LEDGER_DAYS - 1;
/** Id that sorts before every turn's. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface SeenTurn extends OpenTurn {
  /** Version of its row: a turn that is opened again has another. */
  version: string;
}

/** Turns whose follow-ups are not all known to be done. */
export class OpenTurns {
  /** Id after which the next page begins. Turns that no service answers for must not hold up the others. */
  private after = BEFORE_ALL;

  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
    private readonly logger: Logger,
  ) {}

  /**
   * Asks the services which turns that ended at least `overdueMs` ago they have not handled, orders those follow-ups
   * again, and marks what is done. Returns how many it ordered.
   */
  async reconcile(overdueMs: number): Promise<number> {
    const silent = new Set<FollowUp>();
    let ordered = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const turns = await this.next(overdueMs);
      if (turns.length > 0)
        ordered += await this.carryOut(turns, planFollowUps(turns, await this.ask(turns, silent)));
      this.after = turns.length < MAX_TURNS_ASKED ? BEFORE_ALL : lastOf(turns).turnId;
      if (this.after === BEFORE_ALL) break;
    }
    return ordered;
  }

  private next(overdueMs: number): Promise<SeenTurn[]> {
    return this.database.reader('system').$queryRaw`
      SELECT turn_id AS "turnId", xmin::text AS version, origin, outcome, follow_up_problem AS problem,
        ended_at < now() - ${OLD_DAYS} * interval '1 day' AS "isOld"
      FROM turns
      WHERE turn_id > ${this.after}::uuid AND followed_up_at IS NULL AND ${isOverdue(sql`ended_at`, overdueMs)}
      ORDER BY turn_id LIMIT ${MAX_TURNS_ASKED}`;
  }

  /** Asks each service about its turns. One that does not answer is not asked again in this round. */
  private async ask(turns: readonly OpenTurn[], silent: Set<FollowUp>) {
    const answers: Partial<Record<FollowUp, Answer>> = {};
    await Promise.all(
      (Object.keys(FOLLOW_UPS) as FollowUp[]).map(async (followUp) => {
        if (silent.has(followUp)) return;
        const turnIds = turns
          .filter((turn) => openFollowUpsOf(turn).includes(followUp))
          .map((turn) => turn.turnId);
        try {
          const { unfinished, dead } =
            turnIds.length === 0
              ? { unfinished: [], dead: [] }
              : await this.messenger.ask(FOLLOW_UPS[followUp].unfinished, { turnIds });
          answers[followUp] = { unfinished: new Set(unfinished), dead: new Set(dead) };
        } catch (error) {
          silent.add(followUp);
          this.logger.warn(
            { err: error, followUp },
            'a service did not say which follow-ups are left; it is asked again later',
          );
        }
      }),
    );
    return answers;
  }

  private async carryOut(turns: readonly SeenTurn[], { done, order, problems }: FollowUpPlan) {
    await Promise.all(
      order.map(({ turnId, followUp }) =>
        // A job that failed for good since its service was asked is noted in the next round.
        this.messenger.enqueue(FOLLOW_UPS[followUp].job, { turnIds: [turnId] }, { keepsFailed: true }),
      ),
    );
    if (done.length + problems.length === 0) return order.length;
    const isDone = new Set(done);
    const closed = turns.filter(({ turnId }) => isDone.has(turnId));
    await this.database.write('system', async (tx) => {
      // One that was opened again since its services were asked stays open.
      await tx.$executeRaw`
        UPDATE turns SET followed_up_at = ${new Date()}
        FROM unnest(
          ${closed.map(({ turnId }) => turnId)}::uuid[], ${closed.map(({ version }) => version)}::text[]
        ) AS seen (id, version)
        WHERE turn_id = seen.id AND xmin::text = seen.version`;
      for (const problem of new Set(problems.map((one) => one.problem))) {
        const ids = problems.filter((one) => one.problem === problem).map(({ turnId }) => turnId);
        await tx.$executeRaw`UPDATE turns SET follow_up_problem = ${problem} WHERE turn_id = ANY(${ids}::uuid[])`;
      }
    });
    return order.length;
  }
}
