import { counted, turnRoutes, type Delivery, type TracedTurn, type TurnOutcome } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { tellFull } from '../suite/read-list.js';
import { describeFindings } from './epochs.js';
import { secondOf } from '../terminal/value-words.js';

interface ListOptions {
  outcome?: TurnOutcome;
  person?: string;
  limit: number;
  json?: boolean;
}

/** Lists the latest turns and the messages that still wait, for when someone says that there was no answer. */
export async function listTurns({ api, terminal }: CommandContext, options: ListOptions): Promise<void> {
  const { outcome, person, limit } = options;
  const list = await api.call(turnRoutes.list, { query: { outcome, person, limit } });
  if (options.json) return terminal.json(list);
  for (const message of list.waiting) {
    terminal.note(
      `waits: message ${message.messageId}, received ${secondOf(message.receivedAt)}, ${counted(message.attempts, 'attempt')}`,
    );
  }
  if (list.turns.length === 0) return terminal.note('no such turns');
  terminal.table(list.turns, [
    { header: 'turn', value: ({ turnId }) => turnId },
    { header: 'started', value: ({ startedAt }) => secondOf(startedAt) },
    { header: 'door', value: ({ door }) => door },
    { header: 'outcome', value: ({ outcome: how }) => how },
    { header: 'ms', value: ({ tookMs }) => String(tookMs), align: 'right' },
    {
      header: 'reason',
      value: ({ reason, degraded }) =>
        [reason, degraded.length > 0 ? `without ${degraded.join(', ')}` : null].filter(Boolean).join('; '),
      flexible: true,
    },
  ]);
  tellFull(terminal, list.turns.length, limit);
}

/** Everything that happened on a turn's way, from the message to its delivery. */
export async function showTurn(
  { api, terminal }: CommandContext,
  id: string | undefined,
  { message, json = false }: { message?: string; json?: boolean },
): Promise<void> {
  const turnId = id ?? (await turnOfMessage(api, message));
  const turn = await api.call(turnRoutes.show, { params: { id: turnId } });
  if (json) return terminal.json(turn);
  for (const line of describeTurn(turn)) terminal.line(line);
}

async function turnOfMessage(api: CommandContext['api'], message: string | undefined): Promise<string> {
  if (message === undefined)
    throw new CliError('name a turn (kith turn list shows them), or a message with --message', 2);
  const { turns, waiting } = await api.call(turnRoutes.list, { query: { message, limit: 1 } });
  if (turns[0]) return turns[0].turnId;
  const [open] = waiting;
  if (open) {
    throw new CliError(
      `message ${message} waits for its turn: received ${secondOf(open.receivedAt)}, ${counted(open.attempts, 'attempt')} so far`,
    );
  }
  throw new CliError(`no message ${message} was ever accepted`);
}

/** A turn as a page of text. */
export function describeTurn(turn: TracedTurn): string[] {
  const { trace } = turn;
  const started = Date.parse(trace.startedAt);
  const after = (at: string | null) => (at === null ? '' : ` (${signedMs(Date.parse(at) - started)})`);
  return [
    `turn ${turn.turnId}: ${turn.outcome}${turn.reason === null ? '' : ` (${turn.reason})`}`,
    `  ${trace.origin} of person ${trace.personId} to ${turn.companionId}, heard by ${trace.audience}`,
    `  started ${trace.startedAt}, took ${turn.tookMs} ms`,
    'arrived',
    ...trace.messages.map(
      (message) =>
        `  ${message.messageId} by ${message.door}, received ${secondOf(message.receivedAt)}${after(message.receivedAt)}` +
        (message.attempts > 1 ? `, attempt ${message.attempts}` : '') +
        (message.overtaken > 0 ? `, overtaken ${counted(message.overtaken, 'time')}` : '') +
        (message.revisions > 0 ? `, changed ${counted(message.revisions, 'time')}` : ''),
    ),
    `claimed  ${trace.claimedAt ?? 'not noted'}${after(trace.claimedAt)}, lease ${trace.leaseToken ?? '?'}`,
    `gate     ${trace.gate ?? 'not noted'}`,
    `recalled ${turn.recalled.length}${turn.degraded.length > 0 ? `, without ${turn.degraded.join(', ')}` : ''}`,
    ...turn.recalled.map((memory) => `  ${memory.why.score.toFixed(3)}  ${memory.text || memory.id}`),
    `prompt   ${trace.promptTokens ? inParts(trace.promptTokens) : 'none'}`,
    ...(trace.compaction ? [`epoch    ${describeFindings(trace.compaction)}`] : []),
    `model    ${trace.tries.map(({ model, kind, tookMs }) => `${model} ${kind} in ${tookMs} ms`).join(', then ') || 'not asked'}`,
    ...trace.tools.map(({ name, ok, tookMs }) => `  tool ${name}: ${ok ? 'ok' : 'failed'} in ${tookMs} ms`),
    `tokens   ${trace.usage ? `${trace.usage.promptTokens} in, ${trace.usage.completionTokens} out (${trace.usage.model})${inDollars(trace.usage.cost)}` : 'none'}`,
    ...(trace.bound === null ? [] : [`bound    it was to end: ${trace.bound}`]),
    ...trace.hooks.map(
      ({ hook, point, ended, tookMs }) => `  hook ${hook} at ${point}: ${ended} in ${tookMs} ms`,
    ),
    `timings  composed in ${ms(trace.timings.composeMs)}, first token after ${ms(trace.timings.firstTokenMs)}`,
    ...(turn.reply === null ? [] : [`reply    ${turn.reply}`]),
    trace.deliveries.length === 0 ? 'delivery its door fetches it' : 'delivery',
    ...trace.deliveries.map((delivery) => `  ${describeDelivery(delivery)}`),
    `after    ${trace.followUps.problem ?? (trace.followUps.doneAt === null ? 'under way' : `done ${secondOf(trace.followUps.doneAt)}`)}`,
  ];
}

function inDollars(cost: number | null): string {
  return cost === null ? '' : `, ${cost.toFixed(4)} dollars`;
}

/** A delivery in a line. */
export function describeDelivery(delivery: z.output<typeof Delivery>): string {
  const { outboxId, door, status, attempts, lastError, platformIds } = delivery;
  const chunks = platformIds.length > 0 ? `, as ${platformIds.join(', ')}` : '';
  return `${outboxId} to ${door}: ${status} after ${counted(attempts, 'attempt')}${chunks}${lastError ? `; ${lastError}` : ''}`;
}

function inParts(tokens: Record<string, number>): string {
  const sum = Object.values(tokens).reduce((all, count) => all + count, 0);
  return `${sum} tokens: ${Object.entries(tokens)
    .map(([part, count]) => `${part} ${count}`)
    .join(', ')}`;
}

function ms(value: number | null): string {
  return value === null ? 'no time noted' : `${value} ms`;
}

function signedMs(value: number): string {
  return `${value < 0 ? value : `+${value}`} ms`;
}
