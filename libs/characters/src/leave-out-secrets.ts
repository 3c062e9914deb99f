import { isObject, type CharacterReport } from './character.js';

/** Ends of the names, letters alone, under which programs keep secrets. */
const SECRET_ENDS = [
  'secret',
  'password',
  'passwd',
  'token',
  'apikey',
  'privatekey',
  'accesskey',
  'mnemonic',
];
/** Names whose value is secret whatever it is. */
const SECRET_NAMES = new Set([
  'secrets',
  'credentials',
  'authorization',
  'authheader',
  'env',
  'headers',
  'customheaders',
  'toolexecenvironmentvariables',
  'environmentvariables',
]);
/** A report of more lines is read by nobody. */
const MAX_NAMED = 50;

/** Removes secrets from a document, such as keys for other services: they are neither imported nor exported. */
export function leaveOutSecrets<T>(document: T, report: CharacterReport): T {
  let named = 0;
  const leave = (field: string): void => {
    if (++named <= MAX_NAMED) report.dropped.push({ field, note: 'a secret: these are never taken' });
  };
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one, n) => walk(one, `${path}[${n}]`));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([name, held]) => {
      const field = path === '' ? name.slice(0, 80) : `${path}.${name.slice(0, 80)}`;
      if (!isSecret(name, held)) return [[name, walk(held, field)] as const];
      leave(field);
      return [];
    });
    return Object.fromEntries(entries);
  };
  return walk(document, '') as T;
}

/** Tells whether a field holds a secret. Numbers do not: `max_tokens` counts tokens. */
function isSecret(name: string, held: unknown): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (SECRET_NAMES.has(letters)) return isFilled(held);
  return typeof held === 'string' && held !== '' && SECRET_ENDS.some((end) => letters.endsWith(end));
}

/** Tells whether there is something in a field: an empty list of secrets may stay, as some programs need it. */
function isFilled(held: unknown): boolean {
  if (typeof held === 'object' && held !== null) return Object.keys(held).length > 0;
  return held !== undefined && held !== null && held !== '';
}
