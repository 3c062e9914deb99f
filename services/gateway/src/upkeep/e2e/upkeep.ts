import { randomUUID } from 'node:crypto';
import { memoryContract, outreachContract, personalityContract, type PlacesWithin } from '@kith/contracts';
import { pino } from 'pino';
import { answered, type withTalk } from '../../e2e/talk.js';
import { commitTurn } from '../../outcome/commit-turn.js';
import { LeftReplies } from '../../redaction/left-replies.js';
import { PlaceDeleter } from '../place-deleter.js';
import { PlaceOrders } from '../place-orders.js';
import { Retention } from '../retention.js';

/** The time so many days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** An order about places of one server, as of a day. */
export function orderOf(within: string, places: string[], days: number): PlacesWithin {
  return { door: 'discord', within, places, at: inDays(days).toISOString() };
}

/** Tells if a request tells a service that places are left, or are back. */
export function isOfLeaving(contract: unknown): boolean {
  return [memoryContract, personalityContract, outreachContract].some(
    ({ leavePlaces }) => leavePlaces === contract,
  );
}

/** Retention and orders about places, and talk for them. */
export type Upkeep = ReturnType<typeof withUpkeep>;

/** Makes retention and orders about places over talk, with doubles of the other services. */
export function withUpkeep(talk: ReturnType<typeof withTalk>) {
  /** Has somebody say something in a new channel, which is answered. */
  async function answeredIn(personId: string, externalId: string = randomUUID()) {
    const where = { conversationId: await talk.converse(null, externalId), personId };
    await talk.accept(where, `said-${externalId}`);
    const turn = answered();
    await commitTurn(talk.database, await talk.claim(where), turn, true);
    return { ...where, externalId, turnId: turn.turnId };
  }

  /** Makes what keeps things for so many days, and notes what it asks of others. */
  function retentionWith(
    days: { workingTexts?: number; transcript?: number },
    ask: (contract: unknown, request: unknown) => Promise<unknown> = async () => ({ sources: [] }),
  ) {
    const keep = { workingTexts: 0, transcript: 0, leftServers: 7, audit: 365, ...days };
    const { database } = talk;
    const scrubs = { count: 0 };
    const messenger = { ask: ask as never, scrubDisk: () => void (scrubs.count += 1) };
    const replies = new LeftReplies(database);
    const logger = pino({ level: 'silent' });
    const orders = new PlaceOrders(database, messenger, replies, logger);
    const erasures = { resume: async () => 0 };
    const interrupted: unknown[] = [];
    const interruptions = { interrupt: (speaker: unknown) => void interrupted.push(speaker) };
    const deleter = new PlaceDeleter({ database, messenger, replies, places: orders, interruptions });
    const retention = new Retention({ database, messenger, erasures, places: deleter, days: keep, logger });
    return { retention, orders, deleter, interrupted, scrubs };
  }

  /** A server with some silent channels, and what the services hear of them. */
  async function serverOf(
    count: number,
    onOrder: (order: { left: boolean }) => Promise<void> = async () => undefined,
  ) {
    const heard: unknown[] = [];
    const { retention, orders } = retentionWith({}, async (contract, request) => {
      if (!isOfLeaving(contract)) return { sources: [] };
      heard.push(request);
      await onOrder(request as { left: boolean });
      return {};
    });
    const places = Array.from({ length: count }, () => randomUUID());
    for (const externalId of places) await talk.converse(null, externalId);
    const isLeft = async () => {
      const rows = await talk.stores.query<{ left: boolean }>(
        'SELECT left_at IS NOT NULL AS left FROM conversations WHERE external_id = ANY ($1)',
        [places],
      );
      return rows.map(({ left }) => left);
    };
    return { retention, orders, heard, server: randomUUID(), places, isLeft };
  }

  return { talk, answeredIn, retentionWith, serverOf };
}
