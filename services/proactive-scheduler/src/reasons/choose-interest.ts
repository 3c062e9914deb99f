import { DAY_MS, type MemoryView } from '@kith/contracts';

type KnownFact = Pick<MemoryView, 'id' | 'text' | 'fact' | 'pinned' | 'audience' | 'importance'>;

// A new job is asked about when the first days are over, and not when it is nothing new any more.
const CHANGE_SINCE_MS = 3 * DAY_MS;
const CHANGE_UNTIL_MS = 21 * DAY_MS;

// What people like to be asked about. Health, money and love are theirs to bring up.
const CHANGES: ReadonlySet<string> = new Set(['home', 'job', 'employer', 'studies']);
const INTERESTS: ReadonlySet<string> = new Set(['likes', 'favourite', 'habit', 'pet']);

/**
 * Chooses what to ask a person about, and who may hear of it, from known facts: a change some days ago, or else
 * something they care about that was not asked about yet, pinned facts first, then the most important, then the latest.
 * Null when there is nothing. Facts that are only inferred, or are over, do not count.
 * @param asked memories that were asked about before
 */
export function chooseInterest(facts: readonly KnownFact[], asked: ReadonlySet<string>, now: Date) {
  const holding = facts.flatMap(({ fact, ...memory }) => {
    if (!fact || fact.validTo !== null || !fact.isSure || asked.has(memory.id)) return [];
    const [topic = ''] = fact.attribute.split(':');
    return [{ ...memory, fact, topic, ageMs: now.getTime() - Date.parse(fact.validFrom) }];
  });
  const wasOther = (attribute: string) =>
    facts.some(({ fact }) => fact?.attribute === attribute && fact.validTo !== null);
  const changed = holding.find(
    ({ topic, fact, ageMs }) =>
      CHANGES.has(topic) && ageMs >= CHANGE_SINCE_MS && ageMs <= CHANGE_UNTIL_MS && wasOther(fact.attribute),
  );
  const [liked] = holding
    .filter(({ topic, fact }) => INTERESTS.has(topic) && fact.value !== 'dislikes')
    .toSorted(
      (one, other) =>
        Number(other.pinned) - Number(one.pinned) ||
        other.importance - one.importance ||
        one.ageMs - other.ageMs,
    );
  const chosen = changed ?? liked;
  return chosen ? { about: chosen.text, memoryId: chosen.id, audience: chosen.audience } : null;
}
