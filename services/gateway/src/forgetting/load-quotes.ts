import { firstOf, lastOf } from '@kith/contracts';
import type { Tx } from '@kith/database';
import { QuoteFinder, repeats, tellingWords, type LoadViews, type SaidLine } from './find-quotes.js';

/** Lines of a conversation that are read at once. */
const PAGE = 1_000;

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
    const finder = new QuoteFinder(gone, withReplies, await viewsIn(tx, conversationId));
    for await (const page of linesFrom(tx, conversationId, first)) {
      const deleted = new Set(page.filter(({ withheld }) => withheld === 'deleted').map(({ id }) => id));
      found.push(...(await finder.find(page)).filter((id) => !deleted.has(id)));
    }
  }
  return found;
}

/** Reads a conversation from a line on, in order. */
async function* linesFrom(
  tx: Tx,
  conversationId: string,
  first: bigint,
): AsyncGenerator<(SaidLine & { withheld: string | null })[]> {
  let id: { gte: bigint } | { gt: bigint } = { gte: first };
  for (;;) {
    const page: (SaidLine & { withheld: string | null })[] = await tx.transcriptMessage.findMany({
      where: { conversationId, id },
      orderBy: { id: 'asc' },
      take: PAGE,
      select: { id: true, turnId: true, role: true, text: true, withheld: true },
    });
    yield page;
    if (page.length < PAGE) return;
    id = { gt: lastOf(page).id };
  }
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

/** Makes what loads the views of a conversation's turns. Turns of earlier versions did not note theirs. */
async function viewsIn(tx: Tx, conversationId: string): Promise<LoadViews> {
  const epochs = await tx.epoch.findMany({ where: { conversationId }, select: { id: true, kept: true } });
  const kept = new Map(epochs.map(({ id, kept: ids }) => [id, new Set(ids)]));
  return async (turnIds) => {
    const views = await tx.$queryRaw<{ turnId: string; from: string; epoch: string | null }[]>`
      SELECT turn_id::text AS "turnId", trace -> 'view' ->> 'from' AS from, trace -> 'view' ->> 'epoch' AS epoch
      FROM turns WHERE turn_id = ANY (${turnIds}::uuid[]) AND trace -> 'view' ->> 'from' IS NOT NULL`;
    return new Map(
      views.map(({ turnId, from, epoch }) => [
        turnId,
        { from: BigInt(from), kept: kept.get(epoch ?? '') ?? new Set() },
      ]),
    );
  };
}
