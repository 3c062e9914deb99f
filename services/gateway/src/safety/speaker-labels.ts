import { seenAs } from './look-alikes.js';
import { plainName } from './prompt-text.js';

/** Whoever said something, by the name of that moment. */
export interface LineAuthor {
  role: 'person' | 'companion';
  name: string;
  /** Person who said it, or to whom the companion said it; null where nobody here is known by that name. */
  personId: string | null;
}

/** Name of the companion where its own words are quoted to it. */
const ITSELF = 'You';

/** Tells who speaks, whatever they call themselves: the companion is one, whomever it talks with. */
export function speakerOf({ role, name, personId }: LineAuthor): string {
  return role === 'companion' ? role : (personId ?? `unknown ${nameKey(plainName(name))}`);
}

/**
 * Names speakers so that no person passes for the companion: `Mira (member)` where `Mira` is its name, or means it. People
 * with the same name are shown as in the talk below, which does not distinguish them. Pure.
 * @param told lines whose companions' names count as its own, beside its present one
 */
export function speakerLabels(
  told: readonly LineAuthor[],
  companionName: string,
): (speaker: LineAuthor) => string {
  const companions = told.filter(({ role }) => role === 'companion').map(({ name }) => name);
  const own = new Set([ITSELF, companionName, ...companions].map((name) => nameKey(plainName(name))));
  return ({ role, name }) => {
    const plain = plainName(name);
    return role === 'person' && own.has(nameKey(plain)) ? `${plain} (member)` : plain;
  };
}

/** Reduces a plain name to what a reader takes it for: blanks and signs tell nobody apart, nor does our `, in brief`. */
function nameKey(name: string): string {
  const letters = seenAs(name)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('inbrief', '');
  return letters === '' ? name : letters;
}
