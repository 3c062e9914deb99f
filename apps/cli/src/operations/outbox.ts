import { outboxRoutes, type Delivery, type RouteInput } from '@kith/contracts';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';
import { describeDelivery } from './turns.js';
import { minuteOf } from '../terminal/value-words.js';
import { readList, tellMore } from '../suite/read-list.js';

interface ListOptions {
  status?: NonNullable<RouteInput<typeof outboxRoutes.list>['query']>['status'];
  limit: number;
  json?: boolean;
}

/** Lists replies on their way, and those that did not arrive, with the reason. */
export async function listOutbox(
  { api, terminal }: CommandContext,
  { status, limit, json = false }: ListOptions,
): Promise<void> {
  const list = await readList('deliveries', limit, (page) =>
    api.call(outboxRoutes.list, { query: { status, ...page } }),
  );
  if (json) return terminal.json(list);
  if (list.deliveries.length === 0)
    return terminal.note(status ? `none is ${status}` : 'every reply was delivered');
  terminal.table(list.deliveries, [
    { header: 'id', value: ({ outboxId }) => outboxId },
    { header: 'status', value: ({ status: how }) => how },
    { header: 'tries', value: ({ attempts }) => String(attempts), align: 'right' },
    { header: 'since', value: ({ createdAt }) => minuteOf(createdAt) },
    { header: 'why', value: ({ lastError }) => lastError ?? '', flexible: true },
  ]);
  tellMore(terminal, list);
}

/** Prints one reply on its way: its tries, and how they ended. */
export async function showDelivery(
  { api, terminal }: CommandContext,
  id: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const delivery = await api.call(outboxRoutes.show, { params: { id } });
  if (json) return terminal.json(delivery);
  for (const line of describeInFull(delivery)) terminal.line(line);
}

/** A delivery as a page of text. */
export function describeInFull(delivery: Delivery): string[] {
  const { outboxId, turnId, personId, door, status, attempts, lastError, platformIds } = delivery;
  const { createdAt, firstTriedAt, settledAt } = delivery;
  return [
    `delivery ${outboxId} to ${door}: ${status}`,
    `tries    ${attempts}`,
    `reason   ${lastError ?? 'none'}`,
    `chunks   ${platformIds.length > 0 ? `${platformIds.length}, as ${platformIds.join(', ')}` : 'none is known to have arrived'}`,
    `queued   ${createdAt}`,
    `tried    ${firstTriedAt === null ? 'not yet' : `first ${firstTriedAt}`}`,
    `ended    ${settledAt ?? 'not yet'}`,
    `person   ${personId}`,
    `turn     ${turnId}`,
  ];
}

export async function retryDeliveries(
  { api, terminal }: CommandContext,
  ids: readonly string[],
): Promise<void> {
  await tryEach(terminal, ids, String, async (id) => {
    await api.call(outboxRoutes.retry, { params: { id } });
    terminal.line(`${id} is on its way again`);
  });
}

export async function dropDeliveries(
  { api, terminal }: CommandContext,
  ids: readonly string[],
  reason: string,
): Promise<void> {
  await tryEach(terminal, ids, String, async (id) => {
    const dropped = await api.call(outboxRoutes.drop, { params: { id }, body: { reason } });
    terminal.line(describeDelivery(dropped));
  });
}
