import { AppError, explainIssue, type ParsedInput, type Route } from '@kith/contracts';
import type { z } from 'zod';

/** @throws AppError `invalid_request` whose `errors` name each field and what is wrong with it */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, errors } = readPart(schema, input);
  if (errors.length > 0) throw refusal(errors);
  return data as z.output<Schema>;
}

/**
 * Parses the parts of a request that its route declares: path, query and body. The others are ignored.
 * @throws AppError `invalid_request` whose `errors` name each field of all parts, and what is wrong with it
 */
export function parseRequest<R extends Route>(
  route: R,
  request: { params: unknown; query: unknown; body?: unknown },
): ParsedInput<R> {
  const parsed: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = route[part];
    if (!schema) continue;
    const read = readPart(schema, request[part]);
    errors.push(...read.errors);
    parsed[part] = read.data;
  }
  if (errors.length > 0) throw refusal(errors);
  return parsed as ParsedInput<R>;
}

interface FieldError {
  field: string;
  message: string;
}

function readPart(schema: z.ZodType, input: unknown): { data?: unknown; errors: FieldError[] } {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return { data: parsed.data, errors: unstorableFields(parsed.data, '') };
  const errors = parsed.error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ field: path || 'body', message: explainIssue(issue) }];
    return issue.keys.map((key) => ({
      field: path ? `${path}.${key}` : key,
      message: 'is not a known field',
    }));
  });
  return { errors };
}

function refusal(errors: FieldError[]): AppError {
  const detail = errors.map((error) => `${error.field}: ${error.message}`).join('; ');
  return new AppError('invalid_request', detail, { errors });
}

/** Texts that no store can hold as they are, wherever in the input they are. */
function unstorableFields(input: unknown, field: string): FieldError[] {
  if (typeof input === 'string') {
    const named = (message: string) => [{ field: field || 'body', message }];
    if (input.includes('\0')) return named('must not contain a NUL character');
    return input.isWellFormed() ? [] : named('must not contain half a surrogate pair');
  }
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    unstorableFields(value, field ? `${field}.${name}` : name),
  );
}
