import { AppError, CompanionId, explainIssue } from '@kith/contracts';
import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';

/** Parses a body, query or parameter by its schema; a refusal names every field. */
export class Parse<Schema extends z.ZodType> implements PipeTransform<unknown, z.output<Schema>> {
  constructor(
    private readonly schema: Schema,
    /** The field's name where the input is a single value. */
    private readonly field = '',
  ) {}

  transform(input: unknown): z.output<Schema> {
    return parseInput(this.schema, input, this.field);
  }
}

/** The companion of a path, by its `id`. */
export const PATH_COMPANION = new Parse(CompanionId, 'id');

/** @throws AppError `invalid_request` whose `errors` name each field and what is wrong with it */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  field = '',
): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) {
    const unkept = unstorableFields(parsed.data, field);
    if (unkept.length > 0) throw refusal(unkept);
    return parsed.data;
  }
  const errors = parsed.error.issues.flatMap((issue) => {
    const path = [field, ...issue.path].filter((part) => part !== '').join('.');
    if (issue.code !== 'unrecognized_keys') return [{ field: path || 'body', message: explainIssue(issue) }];
    return issue.keys.map((key) => ({
      field: path ? `${path}.${key}` : key,
      message: 'is not a known field',
    }));
  });
  throw refusal(errors);
}

interface FieldError {
  field: string;
  message: string;
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
