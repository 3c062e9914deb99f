import type { Tx } from '@kith/database';
import { coveringIn, ownedBy, whichOf, type ForgetRequest } from './forget-request.js';
import { leaveTold } from './leave-shared.js';
import { isMade, linesOf, madeOf, REMOVED, type DerivedRow, type RemovedRow } from './remove-memories.js';

/** Rows that a request removes, and why. */
interface ChosenRows {
  /** Rows that it names. */
  chosen: DerivedRow[];
  /** Rows whose messages it covers. */
  covering: DerivedRow[];
  /** The person's lines in the talk that a chosen fact came from. */
  lines: DerivedRow[];
  /** Rows that were derived from the messages. */
  made: DerivedRow[];
  /** All of these, each once. */
  removed: DerivedRow[];
  /** Messages that it covers. */
  messages: string[];
}

/** Chooses the rows that go with a request: those that it names, and what was derived from the same messages. */
export async function chooseRemoved(tx: Tx, request: ForgetRequest): Promise<ChosenRows> {
  const owned = ownedBy(request);
  const chosen = await tx.memory.findMany({ where: whichOf(request), select: REMOVED });
  // The talk that a chosen fact came from goes, and so do its lines here, which tell the fact as well.
  const covering = coveringIn(request, chosen);
  const told = request.keepTalk ? [] : messagesOf(covering.filter(isMade));
  const lines = await linesOf(tx, owned, told);
  const named = [...chosen, ...lines];
  // Facts, reflections and notes that were derived from them are removed, too.
  const messages = [...new Set([...messagesOf(covering), ...request.unread])];
  const derived = await madeOf(tx, owned, messages);
  const made = request.isRetention ? await withoutKept(tx, request.personId, derived, named) : derived;
  const removed = [...new Map([...named, ...made].map((row) => [row.id, row])).values()];
  return { chosen, covering, lines, made, removed, messages };
}

/** Leaves out derived rows that outlive these messages' retention: pinned ones, and facts that lines which stay tell. */
async function withoutKept(
  tx: Tx,
  personId: string,
  derived: readonly DerivedRow[],
  named: readonly RemovedRow[],
): Promise<DerivedRow[]> {
  const made = derived.filter(({ pinned }) => !pinned);
  const idsOf = (rows: readonly RemovedRow[]) => rows.map(({ id }) => id);
  const told = await leaveTold(tx, personId, idsOf(made), idsOf(named));
  return made.filter(({ id }) => !told.has(id));
}

/** Lists the messages of rows, each once. */
export function messagesOf(rows: readonly Pick<RemovedRow, 'sources'>[]): string[] {
  return [...new Set(rows.flatMap(({ sources }) => sources))];
}
