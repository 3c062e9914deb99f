import { firstOf, lastOf } from '@kith/contracts';
import type { Tx } from '@kith/database';
import { QuoteFinder, repeats, tellingWords, type LineView, type SaidLine } from './find-quotes.js';

/** A line as it is stored. */
type StoredLine = SaidLine & { withheld: string | null };

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
    const finder = new QuoteFinder(gone, withReplies);
    for await (const page of linesFrom(tx, conversationId, first)) {
      const deleted = new Set(page.filter(({ withheld }) => withheld === 'deleted').map(({ id }) => id));
      found.push(...finder.find(page).filter((id) => !deleted.has(id)));
    }
  }
  return found;
}

/** Reads a conversation from a line on, in order, with what the prompts of its turns told of it. */
async function* linesFrom(tx: Tx, conversationId: string, first: bigint): AsyncGenerator<StoredLine[]> {
  const epochs = await tx.epoch.findMany({ where: { conversationId }, select: { id: true, kept: true } });
  const kept = new Map(epochs.map(({ id, kept: ids }) => [id, new Set(ids)]));
  let id: { gte: bigint } | { gt: bigint } | null = { gte: first };
  while (id) {
    const page: StoredLine[] = await tx.transcriptMessage.findMany({
      where: { conversationId, id },
      orderBy: { id: 'asc' },
      take: PAGE,
      select: { id: true, turnId: true, role: true, text: true, withheld: true },
    });
    const views = await viewsOf(tx, page, kept);
    yield page.map((line) => ({ ...line, view: views.get(line.turnId) }));
    id = page.length < PAGE ? null : { gt: lastOf(page).id };
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

/** Finds what the prompts of these turns told of their conversation. Turns of earlier versions did not note it. */
async function viewsOf(
  tx: Tx,
  lines: readonly { turnId: string }[],
  kept: ReadonlyMap<string, ReadonlySet<bigint>>,
): Promise<Map<string, LineView>> {
  const turnIds = [...new Set(lines.map(({ turnId }) => turnId))];
  const views = await tx.$queryRaw<{ turnId: string; from: string; epoch: string | null }[]>`
    SELECT turn_id::text AS "turnId", trace -> 'view' ->> 'from' AS from, trace -> 'view' ->> 'epoch' AS epoch
    FROM turns WHERE turn_id = ANY (${turnIds}::uuid[]) AND trace -> 'view' ->> 'from' IS NOT NULL`;
  return new Map(
    views.map(({ turnId, from, epoch }) => [
      turnId,
      { from: BigInt(from), kept: kept.get(epoch ?? '') ?? new Set() },
    ]),
  );
}
