import { canHear, type RecallExplanation, type MemoryRequest } from '@kith/contracts';
import type { Database, LeftPlaces } from '@kith/database';
import type { Candidates, IndexQuery, VectorIndex } from '../index/vector-index.js';
import { readBeside, readFound } from '../rows/found-rows.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import { TUNED } from '../words/tuned.js';
import { countFates, explainCandidate, judgeCandidates, type RecallDone } from './explain-candidate.js';
import type { FoundToRank } from './rank-found.js';

type RecallRequest = Pick<
  MemoryRequest<'recall'>,
  'personId' | 'companionId' | 'audience' | 'query' | 'explain'
>;

/** Result of a search, and what the index was asked for it. */
export interface SearchToExplain extends FoundToRank {
  spaceId: string | undefined;
  /** Null where the index was not asked, or did not answer. */
  indexQuery: IndexQuery | null;
}

/** Lines on either side that lend a line their words. */
const REACH = Math.max(TUNED.before.length, TUNED.after.length);
/** Most ids that are told of what is not heard in a place: enough to see that there is something. */
const MAX_UNHEARD = 50;

/** Collaborators of an explanation. */
interface ExplainingParts {
  database: Database;
  index: VectorIndex;
  left: Pick<LeftPlaces, 'ofLate'>;
}

/** Accounts for a recall that was done. */
export async function explainRecall(
  parts: ExplainingParts,
  request: RecallRequest,
  search: SearchToExplain,
  done: RecallDone,
): Promise<RecallExplanation> {
  const { personId } = request;
  const judged = judgeCandidates(done);
  const shown = judged.slice(0, request.explain);
  const rows = shown.map(({ candidate }) => candidate);
  const near = await parts.database.read({ personId }, (reader) => readBeside(reader, request, rows, REACH));
  const { terms, about, isOfSelf, asksAdvice, asksWhen, time } = search.question;
  const read = new Set(search.rows.map(({ id }) => id));
  return {
    question: {
      terms: [...terms],
      about: about?.[0] ?? null,
      isOfSelf,
      asksAdvice,
      asksWhen,
      time: time && { from: time.from.toISOString(), to: time.to.toISOString() },
    },
    vectors: search.kind,
    candidates: shown.map((each) => explainCandidate(each, done, near.get(each.candidate.id) ?? [])),
    counts: countFates(judged),
    gone: idsOf(search.found).filter((id) => !read.has(id)).length,
    unheard: await findUnheard(parts, request, search),
  };
}

/** Finds what the same question would find in a DM, and is not heard in this place: ids alone. */
async function findUnheard(
  { database, index, left }: ExplainingParts,
  { personId, companionId, audience, query }: RecallRequest,
  { spaceId, indexQuery }: SearchToExplain,
): Promise<string[]> {
  if (audience === 'direct' || spaceId === undefined || indexQuery === null) return [];
  const scope: MemoryScope = { personId, companionId, audience: 'direct' };
  const ofAll = { ...indexQuery, left: await left.ofLate() };
  const ids = idsOf(await index.candidates(spaceId, scope, ofAll));
  const { rows } = await database.read({ personId }, (reader) =>
    readFound(reader, scope, ids, { query, notIn: spaceId, limit: MAX_UNHEARD }),
  );
  const unheard = rows.filter((row) => !canHear(audience, row.audience));
  return unheard.slice(0, MAX_UNHEARD).map(({ id }) => id);
}

function idsOf({ dense, lexical }: Candidates): string[] {
  return [...new Set([...lexical, ...dense].map(({ id }) => id))];
}
