import type { RecalledMemory, MemoryRequest, MemoryAnswer } from '@kith/contracts';
import type { Database, LeftPlaces } from '@kith/database';
import type { VectorIndex } from '../index/vector-index.js';
import { analyseText } from '../words/analyse-text.js';
import { explainRecall } from './explain-recall.js';
import { once } from './once.js';
import { isToldIn, readPromptParts, readCoreParts } from './prompt-parts.js';
import { poolFor, rankFound, type RowToRank } from './rank-found.js';
import { type MemoryFinder, rankedFor, type Search } from './memory-finder.js';
import { chooseMemories, MAX_TOLD, type Ranked } from './memory-ranking.js';
import type { UseCounter } from './use-counter.js';
import { viewOf } from '../rows/memory-row.js';
import { dotProduct } from '../index/dot-product.js';
type RecallResponse = MemoryAnswer<'recall'>;

/** Chooses memories worth telling now that this audience may hear. */
export class Recaller {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly finder: MemoryFinder,
    private readonly left: Pick<LeftPlaces, 'ofLate'>,
    private readonly uses: UseCounter,
  ) {}

  /** Recalls, best first, with the parts of each score. What is out of reach is named in `degraded`, never thrown. */
  async recall(request: MemoryRequest<'recall'>): Promise<RecallResponse> {
    const started = performance.now();
    const coreParts = once(() => {
      const read = readCoreParts(this.database, request);
      // Where the search fails first, nobody awaits it.
      read.catch(() => undefined);
      return read;
    });
    const search = await this.finder.search(request, () => void coreParts());
    const now = new Date(request.now);
    const all = rankFound(search, { ...request, limit: rankedFor(request, search.question), now });
    const { limit, maxTokens, told } = request;
    const isTold = isToldIn(told);
    const pool = withFew(all.pool, isTold).slice(0, poolFor(limit));
    const weighed = new Set(pool);
    const ranked = {
      ...all,
      pool,
      beyond: [...all.pool.filter((each) => !weighed.has(each)), ...all.beyond],
    };
    const similarity = await this.similarity(request.personId, search, ranked.pool);
    const tooLong = new Set<string>();
    const bounds = { limit, maxTokens, isTold };
    const chosen = chooseMemories(ranked.pool, bounds, similarity, ({ id }) => tooLong.add(id));
    const ids = chosen.map(({ candidate }) => candidate.id);
    if (request.countAsUse && ids.length > 0) this.uses.add(request.personId, ids, now);
    const { question, kind } = search;
    const found = { chosen, ranked: all.pool };
    const prompt = await readPromptParts(this.database, request, question, found, await coreParts());
    const { database, index, left } = this;
    const { passages } = prompt;
    const done = { question, kind, now, ranked, chosen, tooLong, similarity, passages };
    return {
      ...prompt,
      memories: chosen.map(({ candidate, why }): RecalledMemory => ({ ...viewOf(candidate), why })),
      explained:
        request.explain === 0 ? null : await explainRecall({ database, index, left }, request, search, done),
      degraded: search.degraded,
      tookMs: performance.now() - started,
    };
  }

  /** Measures how alike two memories are: by their vectors where both are known, else by the words they share. */
  private async similarity(
    personId: string,
    { found, spaceId }: Search,
    pool: Ranked<RowToRank>[],
  ): Promise<(a: RowToRank, b: RowToRank) => number> {
    const inIndex = new Set([...found.dense, ...found.lexical].map(({ id }) => id));
    const ids = pool.map(({ candidate }) => candidate.id).filter((id) => inIndex.has(id));
    const vectors =
      ids.length === 0 || spaceId === undefined
        ? new Map<string, Float32Array>()
        : await this.finder.vectors(spaceId, personId, ids);
    const words = new Map<string, Set<string>>();
    const wordsOf = ({ id, text }: RowToRank): Set<string> => {
      const known = words.get(id) ?? new Set(analyseText(text));
      words.set(id, known);
      return known;
    };
    return (a, b) => {
      const [va, vb] = [vectors.get(a.id), vectors.get(b.id)];
      return va && vb ? Math.max(0, dotProduct(va, 0, vb)) : sharedWords(wordsOf(a), wordsOf(b));
    };
  }
}

/** Memories that the prompt already has; the few to be named come from these. */
const TOLD_POOL = poolFor(MAX_TOLD);

/** Leaves out what the prompt already tells, except the best. */
function withFew(pool: readonly Ranked<RowToRank>[], isTold: (row: RowToRank) => boolean) {
  let told = 0;
  return pool.filter(({ candidate }) => !isTold(candidate) || told++ < TOLD_POOL);
}

function sharedWords(a: Set<string>, b: Set<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
