import { lastOf } from '@kith/contracts/present';
import { textForRules } from '@kith/reading';

const OPENERS =
  /^(?:(?:so|and|but|oh|ah|hey|well|wait|then|by the way|tell me)(?:,\s*|\s+)|(?!if|when)\p{L}+,\s+)+/iu;
const TAG = String.raw`,? (?:right|correct|don['’]t you|aren['’]t you|haven['’]t you)`;
/** Forms of a question to a person, each with its statement in their own words. */
const FORMS: readonly [RegExp, string][] = [
  [/^do you (?:really |actually |also |even )?(.+)$/iu, 'I $1'],
  [/^are you (?:really |actually |also )?(.+)$/iu, 'I am $1'],
  [/^have you (?!ever)(.+)$/iu, 'I have $1'],
  [/^is your ([^ ]+(?: [^ ]+)?) (called|named) (.+)$/iu, 'My $1 is $2 $3'],
  [/^is your name (.+)$/iu, 'My name is $1'],
  [new RegExp(`^you(?:['’]re| are) (.+?)${TAG}$`, 'iu'), 'I am $1'],
  [new RegExp(`^you (.+?)${TAG}$`, 'iu'), 'I $1'],
];
/** Words that leave a question unclear: it names nothing, offers a choice, or is negated. */
const UNCLEAR =
  /\b(?:i|me|my|we|us|our|it|this|that|these|those|them|they|him|her|she|he|or|not|one|any|anything|something)\b|n['’]t\b/iu;

/**
 * Rewords a yes/no question as the statement of whoever affirms it; null for anything else, and for several questions.
 */
export function asOwnWords(text: string): string | null {
  const [sentences = '', after, ...more] = textForRules(text).split('?');
  if (after === undefined || more.length > 0 || /[\p{L}\p{N}]/u.test(after)) return null;
  const question = lastOf(sentences.split(/[.!…:;\n] ?/u))
    .trim()
    .replace(OPENERS, '');
  const form = FORMS.find(([pattern]) => pattern.test(question));
  if (!form) return null;
  const own = question.replace(...form);
  const rest = question.replace(form[0], '$1');
  if (UNCLEAR.test(rest)) return null;
  return `${own.replaceAll(/\byour\b/giu, 'my')}.`;
}
