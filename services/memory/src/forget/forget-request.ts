import { randomUUID } from 'node:crypto';
import type { Audience, ForgetNamed, MemoryRequest } from '@kith/contracts';
import { type Sql, sql } from '@kith/database';
import type { Owner } from '../rows/memory-scope.js';
import type { TaskChoice } from '../tasks/task-rows.js';
import { isMade, tellsItsSources, type RemovedRow } from './remove-memories.js';

/** A request to forget, which may also name everything said to one audience. */
export type ForgetRequest = Omit<MemoryRequest<'forget'>, 'what'> & {
  what: ForgetNamed | { kind: 'place'; audience: Audience };
  /**
   * True for the operator's retention, never for a person's own order: pinned memories stay, and facts that lines which
   * stay tell; what the removed ones had ended or corrected stays so.
   */
  isRetention?: boolean;
};

/** Makes an order without an undo: for the operator's retention, or a server that was left. */
export function forGood(personId: string, what: ForgetRequest['what']): ForgetRequest {
  const ofAll = { companionId: null, keepTalk: false, saidAfter: null, unread: [], undoUntil: null };
  return { orderId: randomUUID(), personId, what, ...ofAll, preview: false };
}

/** Names whose rows a request is about. */
export function ownedBy({ personId, companionId }: ForgetRequest): Owner {
  return { personId, ...(companionId !== null && { companionId }) };
}

/** Matches the rows that a request names. */
export function whichOf(request: ForgetRequest) {
  const { what, saidAfter } = request;
  return {
    ...ownedBy(request),
    ...(what.kind === 'all' && saidAfter && isBefore(saidAfter)),
    ...(what.kind === 'ids' && { id: { in: what.ids } }),
    // A row with several messages is removed as a whole: the rest of it may repeat the forgotten one.
    ...(what.kind === 'sources' && { sources: { hasSome: what.sources } }),
    ...(what.kind === 'place' && { audience: what.audience }),
    ...(what.kind === 'period' && { saidAt: { gte: new Date(what.from), lt: new Date(what.to) } }),
    ...(request.isRetention && { pinned: false }),
  };
}

/**
 * Matches what was there when everything was to be forgotten, and all that is not the person's own line of a later turn:
 * a note, a fact or a summary of since then may still tell of what was before.
 */
function isBefore({ at, turnIds }: NonNullable<ForgetRequest['saidAfter']>) {
  const inTime = { lte: new Date(at) };
  const ofAnother = [{ turnId: null }, { turnId: { notIn: turnIds } }];
  const isNoLine = [{ kind: { not: 'episode' } }, { writer: { not: 'person' } }];
  return { OR: [...isNoLine, ...ofAnother, { createdAt: inTime }, { saidAt: inTime }] };
}

/**
 * Chooses the rows whose messages a request covers. A derived row may name messages that the request does not: it covers
 * them only where its owner chose the row itself.
 */
export function coveringIn<Row extends Parameters<typeof isMade>[0] & Pick<RemovedRow, 'sources'>>(
  { what, isRetention = false }: ForgetRequest,
  rows: readonly Row[],
): Row[] {
  const isChosen = what.kind === 'ids' && !isRetention;
  return rows.filter((row) => (isChosen ? tellsItsSources(row) : !isMade(row)));
}

/** Makes the condition that a sealed row is of these messages or this place; null where an order names neither. */
export function sealedOf(what: ForgetRequest['what']): Sql | null {
  if (what.kind === 'sources') return sql`jsonb_exists_any(row -> 'sources', ${what.sources}::text[])`;
  return what.kind === 'place' ? sql`row ->> 'audience' = ${what.audience}` : null;
}

/** Chooses the tasks that are removed with a request and the messages it covers. */
export function tasksOf(what: ForgetRequest['what'], told: readonly string[]): Omit<TaskChoice, 'personId'> {
  switch (what.kind) {
    case 'all':
      return { period: { from: new Date(0), to: new Date() } };
    case 'place':
      return { audience: what.audience, sources: told };
    case 'period':
      return { period: { from: new Date(what.from), to: new Date(what.to) }, sources: told };
    case 'sources':
      return { sources: what.sources };
    case 'ids':
      return { sources: told };
  }
}
