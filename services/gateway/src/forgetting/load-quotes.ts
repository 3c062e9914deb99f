import { firstOf } from '@kith/contracts';
import type { Tx } from '@kith/database';
import { findQuotes, repeats, tellingWords, type LineView } from './find-quotes.js';

/** Lines after a forgotten one that are looked at for repetitions: some weeks of a busy channel. */
const MAX_LATER = 5_000;

/** Finds replies, later ones too, that go with lines whose words are gone. */
export async function quotesOf(
  tx: Tx,
  lines: readonly { id: bigint; conversationId: string }[],
  gone: ReadonlyMap<bigint, ReadonlySet<string>>,
  withReplies: boolean,
): Promise<bigint[]> {
  const found: bigint[] = [];
  for (const [conversationId, own] of Map.groupBy(lines, (line) => line.conversationId)) {
    const first = own.reduce((least, { id }) => (id < least ? id : least), firstOf(own).id);
    const later = await tx.transcriptMessage.findMany({
      where: { conversationId, id: { gte: first } },
      orderBy: { id: 'asc' },
      take: MAX_LATER,
      select: { id: true, turnId: true, role: true, text: true, withheld: true },
    });
    const views = await viewsOf(tx, conversationId, later);
    const seen = later.map((line) => ({ ...line, view: views.get(line.turnId) }));
    const quotes = findQuotes(seen, gone, withReplies);
    const told = new Set(later.filter(({ withheld }) => withheld !== 'deleted').map(({ id }) => id));
    found.push(...quotes.filter((id) => told.has(id)));
  }
  return found;
}

/**
 * Finds, of replies written with a memory in view, those that repeat its words, and those that repeat such a reply. What
 * is withheld counts as long as it has words: it may be told in private, or once it arrives.
 */
export async function recalledQuotes(
  tx: Tx,
  turnIds: readonly string[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  if (turnIds.length === 0) return [];
  const lines = await tx.transcriptMessage.findMany({
    where: { turnId: { in: [...turnIds] }, text: { not: '' } },
    select: { id: true, conversationId: true, turnId: true, role: true, text: true },
  });
  const byRole = Map.groupBy(lines, ({ role }) => role);
  const said = Map.groupBy(byRole.get('person') ?? [], ({ turnId }) => turnId);
  const wordsSaidIn = (turnId: string) =>
    new Set(said.get(turnId)?.flatMap(({ text }) => [...tellingWords(text)]));
  const found = (byRole.get('companion') ?? []).filter(({ text, turnId }) =>
    repeats(text, words, wordsSaidIn(turnId)),
  );
  const repeated = new Map(
    found.map(({ id, text }) => [id, new Set([...tellingWords(text)].filter((word) => words.has(word)))]),
  );
  return [...repeated.keys(), ...(await quotesOf(tx, found, repeated, false))];
}

/** Finds what the prompts of these turns told of their conversation. Turns of earlier versions did not note it. */
async function viewsOf(
  tx: Tx,
  conversationId: string,
  lines: readonly { turnId: string }[],
): Promise<Map<string, LineView>> {
  const turnIds = [...new Set(lines.map(({ turnId }) => turnId))];
  const [views, epochs] = await Promise.all([
    tx.$queryRaw<{ turnId: string; from: string; epoch: string | null }[]>`
      SELECT turn_id::text AS "turnId", trace -> 'view' ->> 'from' AS from, trace -> 'view' ->> 'epoch' AS epoch
      FROM turns WHERE turn_id = ANY (${turnIds}::uuid[]) AND trace -> 'view' ->> 'from' IS NOT NULL`,
    tx.epoch.findMany({ where: { conversationId }, select: { id: true, kept: true } }),
  ]);
  const kept = new Map(epochs.map(({ id, kept: ids }) => [id, new Set(ids)]));
  return new Map(
    views.map(({ turnId, from, epoch }) => [
      turnId,
      { from: BigInt(from), kept: kept.get(epoch ?? '') ?? new Set() },
    ]),
  );
}
