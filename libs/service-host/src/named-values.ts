import { z } from 'zod';

/** A name as it may stand before the colon in `name:model`. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * Reads `name=value` pairs with commas between. Tells problems by the name alone: a value may be a key.
 * @param value schema of each value
 */
export function namedValues(value: z.ZodType<string>) {
  return z.string().transform((text, context): Record<string, string> => {
    const named: Record<string, string> = {};
    for (const [index, pair] of text.split(',').entries()) {
      if (pair.trim() === '') continue;
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(at, 0)).trim();
      const given = pair.slice(at + 1).trim();
      const problem = problemOf(name, given, name in named);
      if (problem) context.addIssue({ code: 'custom', message: `entry ${index + 1} ${problem}` });
      else named[name] = given;
    }
    return named;
  });

  function problemOf(name: string, given: string, isTaken: boolean): string | null {
    if (!NAME.test(name) || name in {})
      return 'is not name=value, with a name of lower-case letters, digits and -';
    if (isTaken) return `names ${name} a second time`;
    return value.safeParse(given).success ? null : `gives ${name} a value that can not be used`;
  }
}
