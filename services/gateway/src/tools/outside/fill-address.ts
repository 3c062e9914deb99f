import { AppError, jsonOf as readJson } from '@kith/contracts';
import { z } from 'zod';

/** Parameter of an operation, with the way in which its file says that it is written. */
export interface HttpParameter {
  name: string;
  /** `deep`: the parts of an object as `name[part]`; `json`: whatever it is. */
  as: 'plain' | 'deep' | 'json';
  /** True where each part of a list or an object stands for itself. */
  explode: boolean;
  /** Sign between parts that stand together. */
  between: string;
  /** False where its schema allows no text: one that is an object or a list in JSON is sent as it stands. */
  takesText: boolean;
}

/** Address of an operation, without what a call gives. */
export interface HttpAddress {
  base: string;
  path: string;
  inPath: readonly HttpParameter[];
  inQuery: readonly HttpParameter[];
}

type Given = Readonly<Record<string, unknown>>;

/** Names of parts that stand in a query or a path: what else is in one may begin another argument at some host. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_.$@:-]+$/u;

/**
 * Fills a path and a query.
 * @throws AppError `invalid_request` for a missing part, one that would change the path, or one that can't be written
 */
export function fillAddress({ base, path, inPath, inQuery }: HttpAddress, given: Given): URL {
  const filled = path.replaceAll(/\{([^{}]{1,100})\}/g, (_, name: string) => {
    const parameter = inPath.find((one) => one.name === name);
    const value = parameter ? wordInPath(parameter, ownOf(given, name)) : '';
    // `..` survives encoding, and would climb; half a surrogate pair can't be encoded.
    if (['', '.', '..'].includes(value) || !value.isWellFormed())
      throw refusal(`${name} is missing or no name`);
    return encodeURIComponent(value);
  });
  const url = new URL(base.replace(/\/$/, '') + filled);
  for (const parameter of inQuery) {
    const { name } = parameter;
    const found = argumentsOf(parameter, ownOf(given, name));
    if (found.length === 0) continue;
    // The path may have a value already, which the call's replaces.
    url.searchParams.delete(name);
    const others = [...inPath, ...inQuery].filter((one) => one !== parameter).map((one) => one.name);
    const taken = [...url.searchParams.keys(), ...others].map(asHostsRead);
    for (const [called] of found) {
      if (called !== name && isTaken(asHostsRead(called), taken))
        throw refusal(`a part of ${name} is called like another parameter`);
    }
    for (const [called, word] of found) url.searchParams.append(called, word);
  }
  return url;
}

/** Returns an argument that was given, not an inherited `constructor`. */
export function ownOf(given: Given, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

/** Words a parameter in a path, where lists and objects stand with commas. */
function wordInPath(parameter: HttpParameter, value: unknown): string {
  const { name, as, explode, between } = parameter;
  if (as === 'json') return jsonOf(parameter, value);
  if (!isObject(value)) return wordsOf(name, value).join(between);
  const parts = partsOf(name, value);
  return joined(name, explode ? parts.map((part) => part.join('=')) : parts.flat(), between);
}

/** Lists the arguments of a query that a parameter becomes, each with its name. */
function argumentsOf(parameter: HttpParameter, value: unknown): [string, string][] {
  const { name, as, explode, between } = parameter;
  if (as === 'json') return value === undefined || value === null ? [] : [[name, jsonOf(parameter, value)]];
  if (isObject(value)) {
    const parts = partsOf(name, value);
    if (as === 'deep') return parts.map(([part, word]) => [`${name}[${part}]`, word]);
    if (explode) return parts;
    return parts.length === 0 ? [] : [[name, joined(name, parts.flat(), between)]];
  }
  const words = wordsOf(name, value);
  if (explode) return words.map((word) => [name, word]);
  return words.length === 0 ? [] : [[name, words.join(between)]];
}

/** Lists the parts of an object that say something, each with its name. */
function partsOf(name: string, value: Given): [string, string][] {
  return Object.entries(value).flatMap(([part, inner]): [string, string][] => {
    const [word] = Array.isArray(inner) ? [nested(name)] : wordsOf(name, inner);
    if (word === undefined) return [];
    if (!PLAIN_NAME.test(part))
      throw refusal(`a part of ${name} has a name that can't be written in an address`);
    return [[part, word]];
  });
}

/** Joins the names and words of an object. A sign of its own in one of them would make another object. */
function joined(name: string, parts: readonly string[], between: string): string {
  if (parts.some((part) => part.includes(between)))
    throw refusal(`no part of ${name} may hold "${between}", which stands between them`);
  return parts.join(between);
}

/** Words a value, or each of a list; those that say nothing are left out. */
function wordsOf(name: string, value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .map((one) => wordOf(name, one))
    .filter((word) => word !== '');
}

function wordOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return nested(name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Refuses what lies deeper: OpenAPI has no way to write it but as JSON, which the parameter's `content` says. */
function nested(name: string): never {
  throw refusal(`${name} may hold no lists or objects within it`);
}

/** Writes a value as JSON. Models give an object as a text of JSON at times, which is not written so once more. */
function jsonOf({ takesText }: HttpParameter, value: unknown): string {
  if (value === undefined || value === null) return '';
  return !takesText && typeof value === 'string' && isJsonOfParts(value) ? value : JSON.stringify(value);
}

function isJsonOfParts(text: string): boolean {
  const value = readJson(z.unknown(), text);
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes the form of a name by which hosts tell it: some take no account of case, or of a dot. */
function asHostsRead(name: string): string {
  return name
    .normalize()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}[\]]/gu, '_');
}

/** Tells whether hosts would take a name for one that is taken, or for a list or an object that holds one. */
function isTaken(name: string, taken: readonly string[]): boolean {
  return taken.some((one) => one === name || one.startsWith(`${name}[`));
}

function refusal(message: string): AppError {
  return new AppError('invalid_request', message);
}
