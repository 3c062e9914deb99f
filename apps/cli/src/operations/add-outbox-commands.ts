import { Option, type Command } from '@commander-js/extra-typings';
import { outboxRoutes, type Delivery } from '@kith/contracts';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { positive } from '../input/options.js';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';
import { printList, readList } from '../suite/read-list.js';
import { minuteOf } from '../terminal/value-words.js';
import { describeDelivery } from './describe-turn.js';

/** Adds the commands for replies on their way to Discord. */
export function addOutboxCommands(program: Command, { api, terminal }: CommandContext): void {
  const outbox = addCommand(
    program,
    'outbox',
    'show, retry and drop replies on their way to Discord; needs a key with the scope admin',
  );
  const statuses = ['pending', 'delivered', 'failed', 'dropped'] as const;
  addJsonCommand(outbox, 'list', 'list what is not delivered, with the reason')
    .addOption(new Option('--status <status>', 'only in this state').choices(statuses))
    .option('--limit <n>', 'how many', positive, 50)
    .action(async ({ status, limit, json }) => {
      const list = await readList('deliveries', limit, (page) =>
        api.call(outboxRoutes.list, { query: { status, ...page } }),
      );
      const none = status ? `none is ${status}` : 'every reply was delivered';
      printList(terminal, 'deliveries', list, { json, none }, [
        { header: 'id', value: ({ outboxId }) => outboxId },
        { header: 'status', value: ({ status: how }) => how },
        { header: 'tries', value: ({ attempts }) => String(attempts), align: 'right' },
        { header: 'since', value: ({ createdAt }) => minuteOf(createdAt) },
        { header: 'why', value: ({ lastError }) => lastError ?? '', flexible: true },
      ]);
    });
  addJsonCommand(outbox, 'show <id>', 'show one reply: its tries, the reason, what arrived and when').action(
    async (id, { json }) => {
      const delivery = await api.call(outboxRoutes.show, { params: { id } });
      if (json) return terminal.json(delivery);
      for (const line of describeInFull(delivery)) terminal.line(line);
    },
  );
  addCommand(outbox, 'retry <id...>', 'send a reply again, with all its tries').action(async (ids) => {
    await tryEach(terminal, ids, String, async (id) => {
      await api.call(outboxRoutes.retry, { params: { id } });
      terminal.line(`${id} is on its way again`);
    });
  });
  addCommand(outbox, 'drop <id...>', 'give a reply up')
    .option('--reason <text>', 'why; kept with it', 'dropped by the operator')
    .action(async (ids, { reason }) => {
      await tryEach(terminal, ids, String, async (id) => {
        const dropped = await api.call(outboxRoutes.drop, { params: { id }, body: { reason } });
        terminal.line(describeDelivery(dropped));
      });
    });
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
