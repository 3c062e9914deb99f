import { isObject, type CharacterReport, type Json } from './character.js';
import { MAX_EXTENSIONS } from './persona.js';

/** Characters for one document; the rest of the room is for those of other programs, and for names. */
const MAX_DOCUMENT = MAX_EXTENSIONS - 10_000;
/** A card's `data.assets` is two levels down, an agent's messages three. */
const MAX_LEVELS = 3;
/** Parts that are dropped at most: a document that needs more has none that stands out. */
const MAX_DROPPED = 200;
/** Smaller parts are not looked at: dropping them one by one would take forever. */
const MIN_PART = 500;

/** Drops the largest parts of a document until it fits beside a persona, and reports them. */
export function fitDocument(document: Json, report: CharacterReport): Json | null {
  let fitted = document;
  let size = JSON.stringify(fitted).length;
  for (let n = 0; size > MAX_DOCUMENT && n < MAX_DROPPED; n++) {
    const path = largestPart(fitted, size - MAX_DOCUMENT);
    fitted = without(fitted, path) as Json;
    size = JSON.stringify(fitted).length;
    report.dropped.push({ field: path.map(String).join('.').slice(0, 200), note: 'too long to be kept' });
  }
  if (size <= MAX_DOCUMENT) return fitted;
  report.dropped.push({ field: 'document', note: 'too long to be kept' });
  return null;
}

type Path = readonly (string | number)[];

/** The smallest part that is enough to drop, or else the largest there is. */
function largestPart(document: Json, excess: number): Path {
  const parts: { path: Path; size: number }[] = [];
  const walk = (value: unknown, path: Path): void => {
    const entries = isObject(value)
      ? Object.entries(value)
      : Array.isArray(value) && path.length > 0
        ? value.map((part, n) => [n, part] as const)
        : [];
    for (const [name, part] of entries) {
      const size = (JSON.stringify(part) as string | undefined)?.length ?? 0;
      if (size < MIN_PART) continue;
      parts.push({ path: [...path, name], size });
      if (path.length + 1 < MAX_LEVELS) walk(part, [...path, name]);
    }
  };
  walk(document, []);
  const bySize = parts.toSorted((one, other) => one.size - other.size || other.path.length - one.path.length);
  return (
    (bySize.find(({ size }) => size >= excess) ?? bySize.at(-1))?.path ?? [Object.keys(document)[0] ?? '']
  );
}

function without(value: unknown, [name, ...rest]: Path): unknown {
  if (Array.isArray(value)) {
    return rest.length === 0
      ? value.filter((_, n) => n !== name)
      : value.map((part: unknown, n) => (n === name ? without(part, rest) : part));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([field]) => field !== name)
      : entries.map(([field, part]) => [field, field === name ? without(part, rest) : part]),
  );
}
