import type { Party, Roles } from './read-roles.js';
import type { CueKind } from './rules-lexicon.js';

/** Parties whose luck is news: the speaker, and those they care for. */
const THEIR_OWN = new Set<Party>(['speaker', 'belonging', 'close', 'unknown', 'stranger']);

/** Reads somebody's good or bad luck: as news, or as a hope or fear where it is still to come. */
export function readFortune(
  isGood: boolean,
  denied: boolean,
  { ahead }: Roles,
  whose: Party,
): CueKind | null {
  if (whose === 'enemy') return isGood === denied ? 'enemy-trouble' : 'enemy-luck';
  if (!THEIR_OWN.has(whose) && !(whose === 'thing' && isGood)) return null;
  if (ahead) return isGood === denied ? 'fear' : 'hope';
  if (isGood) return denied ? 'let-down' : 'good-news';
  return denied ? 'relief' : 'bad-news';
}
