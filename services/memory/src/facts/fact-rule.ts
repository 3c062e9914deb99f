import { keyOf } from './fact-value.js';
import { knownPlaceAt } from './known-places.js';
import type { Statement } from './statement.js';

/** A statement as a rule finds it: sure, unless it says otherwise. */
type FoundStatement = Omit<Statement, 'isSure'> & { isSure?: boolean };

/** A form of words, and what it says of whoever uses it. */
export interface FactRule {
  pattern: RegExp;
  read: (match: RegExpExecArray) => FoundStatement | FoundStatement[] | null;
}

/** Makes a rule that ignores case. */
export const rule = (source: string, read: FactRule['read']): FactRule => ({
  pattern: new RegExp(source, 'giu'),
  read,
});
/** Makes a rule that knows names and places by their capitals. A letter right after a `\b` may be either. */
export const ruleWithNames = (source: string, read: FactRule['read']): FactRule => ({
  pattern: new RegExp(
    source.replaceAll(/\\b(\w)/g, (_, letter: string) => `\\b[${letter}${letter.toUpperCase()}]`),
    'gu',
  ),
  read,
});

/** Keeps what the words name as the value of an attribute. */
export const keepAs =
  (attribute: string): FactRule['read'] =>
  ([, one, other = '']) => ({ attribute, value: one ?? other });
/** Keeps a value of the thing that the words name. */
export const keepOf =
  (topic: string, value: string | null): FactRule['read'] =>
  ([, thing = '']) => ({ attribute: `${topic}:${keyOf(thing)}`, value });
/**
 * Keeps a place; one in small letters only where it is well known.
 * @param unless what may not follow it
 */
export const keepPlace =
  (attribute: string, unless?: RegExp): FactRule['read'] =>
  ({ 0: words, 1: place, 2: plain = '', index, input }) => {
    const rest = input.slice(index + words.length - plain.length);
    const found: [string, string] | null = place === undefined ? knownPlaceAt(rest) : [place, rest];
    return found === null || unless?.test(found[1]) ? null : { attribute, value: found[0] };
  };
/** Ends whichever of these attributes has a value. */
export const endAnyOf = (attributes: readonly string[], was: string) =>
  attributes.map((attribute) => ({ attribute, value: null, was }));
/** Statements of somebody whose relationship has ended. */
export const ENDED_TIE = [
  { attribute: 'relationship', value: 'single' },
  { attribute: 'partner', value: null },
];
