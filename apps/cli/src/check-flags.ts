import type { z } from 'zod';
import { CliError } from './cli-error.js';
import { plural } from './terminal/plural.js';

/**
 * What was given by flags, as the API wants it. `flags` says by which flag each field is given.
 * @throws CliError of one line: which flag, and what it takes
 */
export function checkFlags<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  flags: Readonly<Record<string, string>>,
): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const field = String(issue.path[0] ?? '');
    return `${flags[field] ?? field}: ${whatItTakes(issue)}`;
  });
  throw new CliError([...new Set(problems)].join('; '), 2);
}

function whatItTakes(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_big':
      return `at most ${amount(Number(issue.maximum), issue.origin)}`;
    case 'too_small':
      return `at least ${amount(Number(issue.minimum), issue.origin)}`;
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? 'a whole number' : issue.message;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'a time such as 2026-12-01T00:00:00Z' : issue.message;
    default:
      return issue.message;
  }
}

function amount(count: number, origin: string): string {
  if (origin === 'string') return plural(count, 'character');
  return origin === 'array' ? plural(count, 'entry', 'entries') : String(count);
}
