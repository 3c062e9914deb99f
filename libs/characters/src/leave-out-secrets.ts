import type { CharacterReport } from './character.js';
import { isFilled, isObject } from './json-values.js';

/** Ends of the names, letters alone, under which programs keep secrets, or several of them. */
const SECRET_END =
  /(?:secret|passw(?:or)?d|passphrase|seedphrase|walletseed|mnemonic|keypair|(?:api|private|access|secret)key|(?:access|api|auth|bot)token|git(?:hub|lab)pat)s?$|(?:token|accesskeyid)$/;
/** Variable of an environment, which is secret by any of its words: `SECRET_SALT`, `DEPLOY_KEY_ID`. */
const VARIABLE = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;
const SECRET_WORD = /^(?:secrets?|keys?|token|passw(?:or)?ds?|passphrases?|mnemonic|seed|pat)$/;
/** Variables that are for everybody, or name a column. */
const OPEN_VARIABLE = /(?:^|_)PUBLIC_KEY$|^PRIMARY_KEY$/;
/** Words before `key` by which it is for everybody, or words to look for, as in `secondary_keys`. */
const OPEN_KEY = /^(?:activation|primary|public|search|secondary|sort|trigger)$/;
/** Names whose value is secret whatever it is. */
const SECRET_NAMES = new Set(
  `secrets credentials authorization authheader env headers customheaders toolexecenvironmentvariables
  environmentvariables`.split(/\s+/),
);
/** Fields of a JSON schema whose text says what a parameter may be, and is no value of it. */
const DESCRIBING = new Set(['$ref', 'type', 'title', 'description', 'format', 'pattern', 'enum', 'required']);
const SCHEMA_PARAMETERS = /(?:^|\.)properties$/;
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
      const isParameter = SCHEMA_PARAMETERS.test(path) && isObject(held) && isDescription(held);
      if (isParameter || !isSecret(name, held)) return [[name, walk(held, field)] as const];
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
  if ((typeof held !== 'string' && typeof held !== 'object') || !isFilled(held)) return false;
  if (SECRET_END.test(letters)) return true;
  const words = wordsOf(name);
  if (VARIABLE.test(name)) return !OPEN_VARIABLE.test(name) && words.some((word) => SECRET_WORD.test(word));
  const owner = words.at(-2);
  if (owner === undefined || OPEN_KEY.test(owner)) return false;
  // A list of keys may be words to look for, and a key alone is one of a lorebook.
  return typeof held === 'string' && words.at(-1) === 'key';
}

/** Tells whether a part of a JSON schema only says what may stand somewhere, and has no text that stands there. */
function isDescription(part: unknown, isTextFine = false): boolean {
  if (Array.isArray(part)) return part.every((one) => isDescription(one, isTextFine));
  if (isObject(part))
    return Object.entries(part).every(([name, held]) => isDescription(held, DESCRIBING.has(name)));
  return typeof part !== 'string' || part === '' || isTextFine;
}

/** Words of a name as programs join them: `openaiKey`, `OPENAI_KEY`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}
