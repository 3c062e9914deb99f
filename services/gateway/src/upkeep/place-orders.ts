import { setTimeout as wait } from 'node:timers/promises';
import {
  type Audience,
  channelAudience,
  inParts,
  MAX_PLACES,
  memoryContract,
  outreachContract,
  personalityContract,
  type PlacesWithin,
} from '@kith/contracts';
import { isOverdue, sql, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { LeftReplies } from '../redaction/left-replies.js';
import { OVERDUE_MS, ResumeRounds } from '../forgetting/resume-rounds.js';

/** Pause between tries while another order for the same places is carried out: some statements and three questions. */
const LOCKED_MS = 250;
/** Orders of one round: each asks three services, and the next round is seconds away. */
const OPEN_LIMIT = 20;

/** Places that belong together at a door, such as those of a Discord server. */
type Group = Pick<PlacesWithin, 'door' | 'within'>;

/** The newest order of a group, for all places that its orders have named. */
interface NotedOrder extends PlacesWithin {
  left: boolean;
}

/**
 * Leaves the places of a group, such as a Discord server, or returns to them, across the suite. An order is noted first,
 * and that every service has carried it out last; the sweeper goes on with one that was broken off. Safe to repeat.
 */
export class PlaceOrders {
  private readonly rounds = new ResumeRounds<Group & { key: string }>({
    limit: OPEN_LIMIT,
    keyOf: ({ key }) => key,
    find: (after, limit) => this.openAfter(after, limit),
    // If it is locked, somebody is carrying it out.
    carryOut: (group) => this.alone(group, () => this.goOn(group)),
    onFailure: (error, { door, within }) =>
      this.logger.warn(
        { err: error, door, within },
        'an order to leave or return to places has not reached every service yet; the sweeper will try again',
      ),
  });

  constructor(
    private readonly database: Database,
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly replies: Pick<LeftReplies, 'hold' | 'release'>,
    private readonly logger: Logger,
  ) {}

  /** Notes that the app was removed from these places. Whatever is said there later shows that it came back. */
  leave(order: PlacesWithin): Promise<void> {
    return this.inOrder({ ...order, left: true });
  }

  /** Notes that the app is back in these places, and in those of their group that it was removed from. */
  returnTo(order: PlacesWithin): Promise<void> {
    return this.inOrder({ ...order, left: false });
  }

  /** Goes on with orders that were broken off, until a service does not answer. Returns how many it has tried. */
  async resume(): Promise<number> {
    return (await this.rounds.next()).length;
  }

  private openAfter(after: string, limit: number): Promise<(Group & { key: string })[]> {
    return this.database.reader('system').$queryRaw`
      SELECT door, within, key FROM place_orders, concat(door, ' ', within) AS key
      WHERE carried_out_at IS NULL AND ${isOverdue(sql`at`, OVERDUE_MS)} AND key > ${after}
      ORDER BY key LIMIT ${limit}`;
  }

  /** Tells whether the newest order of a group is to leave it. */
  async isLeft({ door, within }: Group): Promise<boolean> {
    const found = await this.database.reader('system').$queryRaw<unknown[]>`
      SELECT 1 FROM place_orders WHERE door = ${door} AND within = ${within} AND "left"`;
    return found.length > 0;
  }

  /**
   * Lists the orders to leave that were given before this time, with those of their places that have no conversation. One
   * that is still being carried out is left out: a service would hear of it after the end.
   */
  async leftBefore(before: Date): Promise<PlacesWithin[]> {
    const left = await this.database.reader('system').$queryRaw<(Omit<PlacesWithin, 'at'> & { at: Date })[]>`
      SELECT door, within, at, ARRAY(
          SELECT place FROM unnest(places) AS named(place) WHERE NOT EXISTS (
            SELECT 1 FROM conversations AS held
            WHERE held.door = place_orders.door AND held.kind = 'channel' AND held.external_id = place)) AS places
      FROM place_orders WHERE "left" AND at < ${before} AND carried_out_at IS NOT NULL`;
    return left.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() }));
  }

  /** Ends an order to leave places of which nothing is left, unless a later one was given. */
  async end({ door, within, at }: PlacesWithin): Promise<void> {
    await this.database.writer('system').$executeRaw`
      DELETE FROM place_orders WHERE door = ${door} AND within = ${within} AND at = ${new Date(at)} AND "left"`;
  }

  /** Tells the services of places that were left, or come back: talk from there is told nowhere else meanwhile. */
  async tellLeft(audiences: readonly Audience[], left: boolean): Promise<void> {
    for (const some of inParts(audiences, MAX_PLACES)) {
      const order = { audiences: some, left };
      await this.messenger.ask(memoryContract.leavePlaces, order);
      await this.messenger.ask(personalityContract.leavePlaces, order);
      await this.messenger.ask(outreachContract.leavePlaces, order);
    }
  }

  /** Carries an order out for all places of its group, one order at a time, unless a later one was given. */
  private async inOrder(order: NotedOrder): Promise<void> {
    const inTurn = async () => {
      const places = await this.noteOrder(order);
      if (places) await this.carryOut({ ...order, places });
    };
    while (!(await this.alone(order, inTurn))) await wait(LOCKED_MS);
  }

  private alone({ door, within }: Group, work: () => Promise<void>): Promise<boolean> {
    return this.database.withLock(`places:${door}:${within}`, work);
  }

  /** Carries out the newest order of a group, unless that was done since it was found. */
  private async goOn({ door, within }: Group): Promise<void> {
    const [found] = await this.database.reader('system').$queryRaw<
      { at: Date; left: boolean; places: string[] }[]
    >`
      SELECT at, "left", places FROM place_orders
      WHERE door = ${door} AND within = ${within} AND carried_out_at IS NULL`;
    if (found) await this.carryOut({ door, within, ...found, at: found.at.toISOString() });
  }

  /** Carries an order out from its beginning, wherever it was broken off. */
  private async carryOut({ door, within, at, left, places }: NotedOrder): Promise<void> {
    const audiences = places.map((place) => channelAudience(door, place));
    await this.database.asSystem((tx) =>
      tx.conversation.updateMany({
        where: { door, kind: 'channel', externalId: { in: places }, ...(!left && { leftAt: { not: null } }) },
        data: { leftAt: left ? new Date(at) : null },
      }),
    );
    if (!left) await this.replies.release(audiences);
    await this.tellLeft(audiences, left);
    // From here on nothing of it is recalled elsewhere.
    if (left) await this.replies.hold(audiences);
    await this.database.writer('system').$executeRaw`
      UPDATE place_orders SET carried_out_at = now()
      WHERE door = ${door} AND within = ${within} AND at = ${new Date(at)} AND "left" = ${left}`;
  }

  /** Notes it as the newest order of its group. @returns the group's places; null when a later one was given */
  private async noteOrder({ door, within, places, at, left }: NotedOrder): Promise<string[] | null> {
    const [noted] = await this.database.writer('system').$queryRaw<{ places: string[] }[]>`
      INSERT INTO place_orders AS newest (door, within, at, "left", places)
      VALUES (${door}, ${within}, ${new Date(at)}, ${left}, ${places})
      ON CONFLICT (door, within) DO UPDATE
      SET at = excluded.at, "left" = excluded."left", carried_out_at = NULL,
        places = ARRAY(SELECT DISTINCT unnest(newest.places || excluded.places))
      WHERE newest.at < excluded.at OR newest.at = excluded.at AND newest."left" >= excluded."left"
      RETURNING places`;
    return noted?.places ?? null;
  }
}
