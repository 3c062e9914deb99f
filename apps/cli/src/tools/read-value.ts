import { CliError } from '../input/cli-error.js';

/** Parts of a form that is a plain union: names of types, and values as JSON. */
const UNION_PARTS = /(?<=^| \| )(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)(?= \| |$)/g;

/**
 * Reads a value by its form: text where text alone is wanted, JSON elsewhere. Where text is one of the forms, JSON of
 * another of them is read as that. A number that JSON would round, such as an id, stays text where text is allowed.
 * @throws CliError where text is not allowed
 */
export function readValue(text: string, form: string): unknown {
  const parts = unionParts(form);
  const areTexts = parts.length > 0 && parts.every((part) => part.startsWith('"'));
  if (areTexts || parts.includes(JSON.stringify(text))) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isRounded && (parts.includes('any') || parts.includes('string'))) return text;
  if (isRounded && /^-?\d+$/.test(text)) throw new CliError(`${text} has more digits than a number keeps`, 2);
  return parts.includes('string') && !parts.some((part) => isOf(value, part)) ? text : value;
}

/** Parts of a form that is a plain union, but for one that is cut; none where the form is built otherwise, as a list is. */
function unionParts(form: string): string[] {
  const parts = form.match(UNION_PARTS) ?? [];
  const known = parts.join(' | ');
  return known === form || (form.endsWith('…') && form.startsWith(known)) ? parts : [];
}

/** Tells whether a value other than a text is of a type. */
function isOf(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
      return false;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
