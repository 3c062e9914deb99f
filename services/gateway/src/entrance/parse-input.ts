import { AppError, explainFields, storableText, type Route } from '@kith/contracts';
import { z } from 'zod';

/** Fields that a refusal names: more than a person fixes at once. A small body can hold thousands that are wrong. */
const MAX_ERRORS = 20;
/** Characters of a field's path that are told: the longest of our own is half of it. The rest came from outside. */
const MAX_FIELD_CHARACTERS = 100;
/** Query of a route that declares none. Were `?preview=true` passed over where the body says it, all would be forgotten. */
const NO_QUERY = z.strictObject({});

/** @throws AppError `invalid_request` whose `errors` name the fields and what is wrong with them */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, errors } = readPart(schema, input);
  if (errors.length > 0) throw refusal(errors);
  return data as z.output<Schema>;
}

/**
 * Parses the parts of a request that its route declares: path, query and body. A query is refused where none is declared,
 * but for routes that need no key.
 * @throws AppError `invalid_request` whose `errors` name the fields of all parts, and what is wrong with them
 */
export function parseRequest(
  route: Route,
  request: { params: unknown; query: unknown; body?: unknown },
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    // A monitor may ask for the health with a query of its own, against caches.
    const isStrict = part === 'query' && route.scope !== 'no-key';
    const schema = route[part] ?? (isStrict ? NO_QUERY : undefined);
    if (!schema) continue;
    const read = readPart(schema, request[part]);
    errors.push(...read.errors);
    if (route[part]) parsed[part] = read.data;
  }
  if (errors.length > 0) throw refusal(errors);
  return parsed;
}

interface FieldError {
  field: string;
  message: string;
}

function readPart(schema: z.ZodType, input: unknown): { data?: unknown; errors: FieldError[] } {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return { data: parsed.data, errors: unstorableFields(parsed.data, '') };
  return { errors: explainFields(parsed.error, 'body') };
}

/** Words a refusal of bounded length, however much is wrong. */
function refusal(all: readonly FieldError[]): AppError {
  const errors = all
    .slice(0, MAX_ERRORS)
    .map(({ field, message }) => ({
      field: field.length > MAX_FIELD_CHARACTERS ? `${field.slice(0, MAX_FIELD_CHARACTERS)}…` : field,
      message,
    }));
  const named = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const more = all.length - errors.length;
  return new AppError('invalid_request', more > 0 ? `${named}; and ${more} more` : named, { errors });
}

/** Finds texts that no store can hold as they are, anywhere in the input, names of fields included. */
function unstorableFields(input: unknown, field: string): FieldError[] {
  if (typeof input === 'string') {
    const problem = problemOf(input);
    return problem === null ? [] : [{ field: field || 'body', message: problem }];
  }
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    const inner = field ? `${field}.${name}` : name;
    const problem = problemOf(name);
    // Shown without its unstorable characters.
    const named = problem === null ? [] : [{ field: storableText(inner), message: `its name ${problem}` }];
    return [...named, ...unstorableFields(value, inner)];
  });
}

function problemOf(text: string): string | null {
  if (text.includes('\0')) return 'must not contain a NUL character';
  return text.isWellFormed() ? null : 'must not contain half a surrogate pair';
}
