import type { z } from 'zod';

/** Beginnings of zod's own sentences; our schemas' words begin otherwise, and are kept. */
const ZODS_OWN = /^(?:Too |Invalid )/;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-12-01T00:00:00Z',
  date: 'a day such as 2026-12-01',
  base64: 'base64, with its padding',
  uuid: 'an id such as 019a0000-0000-7000-8000-000000000001',
};

/** Describes what a field takes, for the person who gave it something else: `at most 200`, `one of on, off`. */
export function explainIssue(issue: z.core.$ZodIssue): string {
  if (!ZODS_OWN.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'too_big':
      return `at most ${amount(Number(issue.maximum), issue.origin)}`;
    case 'too_small':
      return `at least ${amount(Number(issue.minimum), issue.origin)}`;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : (KINDS[issue.expected] ?? issue.message);
    case 'invalid_union':
      // Only a field that says which form an object has names its options.
      return 'options' in issue ? `one of ${issue.options.join(', ')}` : issue.message;
    case 'invalid_format':
      return FORMATS[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

/** Lists what is wrong with each field, for the person who gave it. `whole` names what is no field's own. */
export function explainFields({ issues }: z.ZodError, whole: string): { field: string; message: string }[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')),
  );
  const bounds = new Map(issues.map((issue) => [`${issue.code} ${issue.path.join('.')}`, issue]));
  return issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    // A whole number has bounds of its own, which come before those of its field.
    if (issue.code.startsWith('too_') && bounds.get(`${issue.code} ${path}`) !== issue) return [];
    // Zod measures a list that was sent for a text, too.
    if (issue.code !== 'invalid_type' && mistyped.has(path)) return [];
    if (issue.code !== 'unrecognized_keys') return [{ field: path || whole, message: explainIssue(issue) }];
    return issue.keys.map((key) => ({
      field: path ? `${path}.${key}` : key,
      message: 'is not a known field',
    }));
  });
}

function amount(count: number, origin: string): string {
  const isOne = count === 1;
  if (origin === 'string') return `${count} ${isOne ? 'character' : 'characters'}`;
  return origin === 'array' ? `${count} ${isOne ? 'entry' : 'entries'}` : String(count);
}
