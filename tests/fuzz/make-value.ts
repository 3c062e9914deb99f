import type { Random } from '../faults/random.ts';
import type { Schema } from './api-document.ts';
import type { Dictionary } from './dictionary.ts';
import { hostileMessage, hostileValue, hostileWord } from './hostile-values.ts';

const DEEPEST = 8;

/** A value that a schema takes, or nearly: made of what is known by its name where there is such. */
export function makeValue(
  schema: Schema,
  dictionary: Dictionary,
  random: Random,
  { name = '', root = schema, depth = 0 } = {},
): unknown {
  const inner = (part: Schema, as: string) =>
    makeValue(part, dictionary, random, { name: as, root, depth: depth + 1 });
  if (depth > DEEPEST) return null;
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref, root), name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return inner(random.pick(choices), name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => inner(part, name)));
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'object':
      return makeObject(schema, random, inner);
    case 'array': {
      const count = Math.max(schema.minItems ?? 0, random.between(0, 3));
      return Array.from({ length: count }, () => inner(schema.items ?? {}, name));
    }
    case 'string':
      return makeText(schema, name, dictionary, random);
    case 'integer':
    case 'number': {
      const least = Math.max(schema.minimum ?? 0, -1_000);
      return random.between(least, Math.min(schema.maximum ?? 10, 1_000));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return random.pick(['text', 1, true, null, {}, []]);
  }
}

function makeObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  random: Random,
  inner: (part: Schema, as: string) => unknown,
): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(properties))
    if (required.includes(key) || random.chance(0.4)) made[key] = inner(part, key);
  if (typeof additionalProperties === 'object')
    for (let more = random.between(0, 2); more > 0; more -= 1)
      made[`more${more}`] = inner(additionalProperties, '');
  return made;
}

function makeText(schema: Schema, name: string, dictionary: Dictionary, random: Random): string {
  if (schema.format === 'uuid') return dictionary.id(random);
  if (schema.format === 'date-time')
    return random.pick(['2024-05-01T12:00:00Z', '2026-11-20T08:00:00+02:00']);
  if (schema.format === 'date') return random.pick(['2024-05-01', '2026-11-20']);
  const known = random.chance(0.7) ? dictionary.word(name, random) : undefined;
  const fits = (text: string) => schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text);
  for (const text of [known, dictionary.word('companion', random), '22:30', '12', 'direct', 'a1'])
    if (text !== undefined && schema.pattern !== undefined && fits(text)) return text;
  if (known !== undefined) return known;
  const text = random.chance(0.3) ? hostileMessage(random) : `text ${random.between(0, 99)}`;
  return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 4_000);
}

function resolve(ref: string, root: Schema): Schema {
  if (ref === '#') return root;
  const parts = ref.split('/').slice(1);
  let found: unknown = root;
  for (const part of parts) found = (found as Record<string, unknown>)[part];
  return found as Schema;
}

/** The value with something in it made wrong: of another kind, too long, too deep, unknown, or left out. */
export function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.08)) return hostileValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2))
      return [...(value as unknown[]), ...Array<unknown>(random.pick([1, 600])).fill(hostileValue(random))];
    const at = random.between(0, value.length - 1);
    return value.map((part: unknown, index) => (index === at ? mutate(part, random) : part));
  }
  const keys = Object.keys(value);
  if (keys.length === 0 || random.chance(0.1))
    return { ...value, [hostileWord(random)]: hostileValue(random) };
  const key = random.pick(keys);
  const { [key]: chosen, ...others } = value as Record<string, unknown>;
  return random.chance(0.1) ? others : { ...value, [key]: mutate(chosen, random) };
}
