import type { CharacterReport } from './character.js';
import { isObject, type Json } from './json-values.js';
import { MAX_EXTENSIONS } from './persona.js';

/** Characters for one document; the rest of the room is for those of other programs, names, and a note on lore. */
const MAX_DOCUMENT = MAX_EXTENSIONS - 10_000;
/** A card's `data.assets` is two levels down, an agent's messages three. */
const MAX_LEVELS = 3;
/** Parts that are dropped at most: a document that needs more has none that stands out. */
const MAX_DROPPED = 200;
/** Smaller parts are not looked at: dropping them one by one would take forever. */
const MIN_PART = 500;

type Path = readonly (string | number)[];

/** Part of a document, with the characters that it takes. */
interface Part {
  path: Path;
  size: number;
}

/** Drops the largest parts of a document until it fits beside a persona, and reports them. */
export function fitDocument(document: Json, report: CharacterReport): Json | null {
  const excess = JSON.stringify(document).length - MAX_DOCUMENT;
  if (excess <= 0) return document;
  const dropped = partsToDrop(largeParts(document), excess);
  for (const path of dropped ?? [])
    report.dropped.push({ field: path.map(String).join('.').slice(0, 200), note: 'too long to be kept' });
  if (dropped) return without(document, [], new Set(dropped.map((path) => JSON.stringify(path)))) as Json;
  report.dropped.push({ field: 'document', note: 'too long to be kept' });
  return null;
}

/**
 * Chooses the parts to drop, each time the smallest that is enough, or else the largest there is; null where that is
 * not enough. Pure.
 */
function partsToDrop(parts: readonly Part[], excess: number): Path[] | null {
  const dropped: Path[] = [];
  let left = parts;
  for (let over = excess; over > 0;) {
    const bySize = left.toSorted(
      (one, other) => one.size - other.size || other.path.length - one.path.length,
    );
    const part = bySize.find(({ size }) => size >= over) ?? bySize.at(-1);
    if (!part || dropped.length === MAX_DROPPED) return null;
    dropped.push(part.path);
    over -= part.size;
    left = left.flatMap(({ path, size }) => {
      if (isWithin(path, part.path)) return [];
      return [{ path, size: isWithin(part.path, path) ? size - part.size : size }];
    });
  }
  return dropped;
}

/** Lists the parts that stand out, to the third level. */
function largeParts(document: Json): Part[] {
  const parts: Part[] = [];
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
  return parts;
}

function isWithin(path: Path, other: Path): boolean {
  return other.every((name, level) => path[level] === name);
}

function without(value: unknown, path: Path, dropped: ReadonlySet<string>): unknown {
  if (path.length === MAX_LEVELS) return value;
  const kept = <Name extends string | number>(entries: readonly (readonly [Name, unknown])[]) =>
    entries
      .filter(([name]) => !dropped.has(JSON.stringify([...path, name])))
      .map(([name, part]) => [name, without(part, [...path, name], dropped)] as const);
  if (Array.isArray(value)) return kept(value.map((part, n) => [n, part] as const)).map(([, part]) => part);
  return isObject(value) ? Object.fromEntries(kept(Object.entries(value))) : value;
}
