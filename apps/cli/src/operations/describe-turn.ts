import { counted, type Delivery, type EpochView, type TracedTurn } from '@kith/contracts';
import type { z } from 'zod';
import { secondOf } from '../terminal/value-words.js';

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

/** Words the result of a snapshot's check. */
export function describeFindings(findings: NonNullable<EpochView['findings']>): string {
  const { lines, probes, held, byModel, added, missed, longerTail } = findings;
  return [
    `${counted(lines, 'line')} told in short`,
    `${held} of ${counted(probes, 'question')} answered${byModel > 0 ? ` (${byModel} by the fast model)` : ''}`,
    added > 0 ? `${counted(added, 'line')} added` : '',
    longerTail ? `a longer tail, ${missed} still open` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
