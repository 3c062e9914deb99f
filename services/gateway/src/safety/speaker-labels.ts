import { plainName } from './prompt-text.js';

/** Whoever said something, by the name of that moment. */
export interface Speaker {
  role: 'person' | 'companion';
  name: string;
  /** Person who said it, or to whom the companion said it; null where nobody here is known by that name. */
  personId: string | null;
}

/** Name of the companion where its own words are quoted to it. */
const ITSELF = 'You';

/** Tells who speaks, whatever they call themselves: the companion is one, whomever it talks with. */
export function speakerOf({ role, name, personId }: Speaker): string {
  return role === 'companion' ? role : (personId ?? `unknown ${nameKey(plainName(name))}`);
}

/**
 * Names speakers so that none passes for the companion or for another: of a person, `Mira (member)` where `Mira` is the
 * companion's name, or means it, and `Alex (2)` where another is told by that name before. Pure.
 * @param told in order: who comes first keeps a name as it is
 */
export function speakerLabels(told: readonly Speaker[], companionName: string): (speaker: Speaker) => string {
  const companions = told.filter(({ role }) => role === 'companion').map(({ name }) => name);
  const own = new Set([ITSELF, companionName, ...companions].map((name) => nameKey(plainName(name))));
  const owners = new Map<string, string>();
  const labels = new Map<string, string>();
  const labelOf = (speaker: Speaker) => {
    const by = speakerOf(speaker);
    const name = plainName(speaker.name);
    const named = `${by} ${name}`;
    const label = labels.get(named) ?? (by === 'companion' ? name : freeLabel(name, by, own, owners));
    labels.set(named, label);
    return label;
  };
  for (const speaker of told) labelOf(speaker);
  return labelOf;
}

/** Finds the first mark with which nobody else goes by a name, and makes it that person's. */
function freeLabel(name: string, by: string, own: ReadonlySet<string>, owners: Map<string, string>): string {
  const isOwn = own.has(nameKey(name));
  for (let number = 1; ; number++) {
    const mark = [isOwn ? 'member' : '', number > 1 ? number : ''].filter(Boolean).join(' ');
    const label = mark === '' ? name : `${name} (${mark})`;
    const key = nameKey(label);
    const owner = owners.get(key);
    if (own.has(key) || (owner !== undefined && owner !== by)) continue;
    owners.set(key, by);
    return label;
  }
}

/** Reduces a plain name to what a reader takes it for: case, blanks and marks tell nobody apart, nor does our `, in brief`. */
function nameKey(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('inbrief', '');
  return letters === '' ? name : letters;
}
