import type { Quirk } from './quirk.js';

/** A habit weaker than this does not show. */
const AUDIBLE_QUIRK = 0.2;

/** A prompt that names more habits makes a caricature of them. */
const MAX_INTERESTS = 3;
const MAX_PHRASES = 2;

/** Names the subjects the companion comes back to; null without one. */
export function interestLine(quirks: readonly Quirk[]): string | null {
  const interests = audible(quirks, 'interest').slice(0, MAX_INTERESTS);
  return interests.length === 0 ? null : `Lately I like to come back to: ${interests.join(', ')}.`;
}

/** Names the phrases the companion repeats; null without one. */
export function phraseLine(quirks: readonly Quirk[]): string | null {
  const phrases = audible(quirks, 'speech').slice(0, MAX_PHRASES);
  return phrases.length === 0
    ? null
    : `Now and then I catch myself saying ${phrases.map((phrase) => `“${phrase}”`).join(' or ')}.`;
}

/** Lists the noticeable ones, the strongest first; equally strong ones by their text, so that the order is fixed. */
function audible(quirks: readonly Quirk[], of: Quirk['kind']): string[] {
  const sorted = quirks
    .filter(({ kind, strength }) => kind === of && strength >= AUDIBLE_QUIRK)
    .sort((one, other) => other.strength - one.strength || (one.text < other.text ? -1 : 1));
  // A channel may have a quirk that also shows everywhere.
  return [...new Set(sorted.map(({ text }) => text))];
}
