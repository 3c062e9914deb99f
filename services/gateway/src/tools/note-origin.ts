import { firstOf, MAX_NOTED_FROM } from '@kith/contracts';
import type { Talk } from '../conversations/talk.js';
import { repeats, tellingWords } from '../quotes/quote-finder.js';
import type { Claim } from '../inbox/claim.js';
import type { FoundQuote } from '../inbox/read-quoted.js';
import type { ShownMemory } from '../steps/step-words.js';
import { piecesBesideRecalled, type MemoryParts } from './memory-parts.js';

/** Origin of a turn’s notes: they go when it is forgotten. */
export interface NoteOrigin {
  /** Messages that are answered. */
  answered: string[];
  /** Lists the messages that a note with these words goes back to. */
  sourcesOf: (note: string) => string[];
  /** Turns of the talk that a heartbeat thinks over. */
  turnIds: string[];
  /**
   * Receipt of the first message that is answered, as ISO 8601: by the store's clock, as orders to forget are. Earlier
   * where a door brings one late: what was forgotten since it was written, or said in private, holds for it.
   */
  begunAt: string;
}

/** Part of a turn's context that a model's notes may come from. */
export interface NotedContext extends Pick<Talk, 'kept' | 'earlier'>, MemoryParts {
  /** Messages that the answered ones refer to. */
  quoted: readonly Pick<FoundQuote, 'text' | 'sources' | 'isOwn'>[];
}

/** Turns that a note may name: as many as the contracts take. */
const MAX_TURNS = 100;

/**
 * Finds the sources of a turn's notes: messages that it answers, memories that tools showed, and parts of its prompt
 * that share a telling word with the note. A word that is said again in this turn still goes back to both: losing one
 * note too many is the smaller harm. Other people's lines in a channel, and replies, which go with what they answered,
 * count only for words that the speaker has not said. Where nobody spoke, the model thinks over all that it is shown,
 * and a note goes with any part of it. Pure, but for what tools show meanwhile.
 * @param shown memories that tools show later are added to it
 */
export function noteOrigin(
  { burst, personId }: Pick<Claim, 'burst' | 'personId'>,
  context: NotedContext,
  shown: readonly ShownMemory[],
): NoteOrigin {
  const { recalled, quoted, kept, earlier } = context;
  const shownBefore = shown.length;
  const answered = burst.map(({ externalId }) => externalId);
  const isHeartbeat = firstOf(burst).origin === 'heartbeat';
  const talk = [...kept, ...earlier];
  const ofTurns = Map.groupBy(talk, ({ turnId }) => turnId);
  const lines = talk.map(({ text, turnId, externalId, personId: saidBy }) => ({
    text,
    sources:
      externalId === null
        ? (ofTurns.get(turnId) ?? []).flatMap((line) => line.externalId ?? [])
        : [externalId],
    isOwn: externalId !== null && saidBy === personId,
  }));
  const told = [...lines, ...quoted];
  const ownLines = told.filter(({ isOwn }) => isOwn);
  const { inPassages, inEveryPrompt } = piecesBesideRecalled(context);
  const own = [...recalled, ...inPassages, ...inEveryPrompt, ...ownLines];
  const others = told.filter(({ isOwn }) => !isOwn);
  const said = [...burst.filter(({ origin }) => origin === 'message'), ...ownLines];
  return {
    answered: answered.slice(-MAX_NOTED_FROM),
    sourcesOf: (note) => {
      const words = tellingWords(note);
      const repeated = own.filter(({ text }) => isHeartbeat || repeats(text, words));
      const ownWords = new Set(
        others.length === 0 ? [] : said.flatMap(({ text }) => [...tellingWords(text)]),
      );
      const heard = others.filter(({ text }) => isHeartbeat || repeats(text, words, ownWords));
      const searched = shown.slice(shownBefore);
      const all = [...repeated, ...heard, ...searched].flatMap(({ sources }) => sources);
      return [...new Set([...all, ...answered])].slice(-MAX_NOTED_FROM);
    },
    turnIds: isHeartbeat ? [...new Set(earlier.map(({ turnId }) => turnId))].slice(-MAX_TURNS) : [],
    begunAt: beginningOf(burst).toISOString(),
  };
}

function beginningOf(burst: Claim['burst']): Date {
  // An API's caller names any time of what they tell now; a chat door tells when it was written.
  const late = burst.flatMap(({ target, sentAt }) => (target === null ? [] : [sentAt.getTime()]));
  return new Date(Math.min(firstOf(burst).receivedAt.getTime(), ...late));
}
