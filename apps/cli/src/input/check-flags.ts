import { explainIssue } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from './cli-error.js';

/**
 * Parses what was given by flags into what the API wants. `flags` names the flag of each field.
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
    return `${flags[field] ?? field}: ${explainIssue(issue)}`;
  });
  throw new CliError([...new Set(problems)].join('; '), 2);
}
