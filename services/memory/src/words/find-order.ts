import { splitSentences, trimEndOf } from '@kith/reading';
import { isOfAnswers } from './manners.js';
import { EN_VERB, SAYING, WISH_FORMS } from './wish-forms.js';

/** Characters of a wish: a sentence. */
export const MAX_WISH = 240;
/** Courtesies that follow each other: "hey, could you please …". */
const MAX_COURTESIES = 4;

const PREFERS =
  /^(?:(?:so|and|also|but),? )?(?:i(?:['’]d)?(?: really| generally| always)? (?:prefer|like|want)|ich (?:mag|möchte|bevorzuge)|prefiero|je préfère|prefiro) .{3,120}/iu;

/** Finds the order in a sentence, after any courtesies; null where it gives none. */
export function orderIn(sentence: string): string | null {
  // "I prefer short answers" asks for them; "I prefer e-books" asks for nothing.
  if (PREFERS.test(sentence) && isOfAnswers(sentence)) return capitalised(trimEndOf(sentence, '.!… '));
  const said = trimEndOf(sentence, '.!?… ');
  if (SAYING.test(said)) return null;
  for (const { courtesy, orders } of WISH_FORMS) {
    let order = said;
    for (let n = 0; n <= MAX_COURTESIES; n += 1) {
      if (orders.some((form) => form.test(order))) return capitalised(order);
      const bare = order.replace(courtesy, '');
      if (bare === order) break;
      order = bare;
    }
  }
  return null;
}

/** Words of the speaker about themself: "my" may be anything of theirs, a server or an enemy. */
const OWN = /(?<!\p{L})(?:I|me)(?!\p{L})/u;

/** Words that may stand before the verb of an order. */
const BEFORE_VERB = '(?:please |then |always |never ){0,3}';

/** Signs that an order reaches further: a link, a call, others whom it is about or for, or a second order. */
const REACHES_FURTHER = [
  /https?:|www\.|\p{L}\.\p{L}{2,}|\bcall (?!me\b)/iu,
  /\b(?:say|repeat|append|recommend)\b|\btell (?!me\b)/iu,
  /\b(?:(?:every|any|some)(?:one|body)|nobody|no one|others?|people|users?|members?|they|them|he|him|she|her|we|us)\b/iu,
  /\b(?:[Tt]ell|[Aa]sk|[Ss]end|[Gg]ive|[Ss]how|[Rr]emind|[Ww]arn|(?:[Rr]eply|[Rr]espond|[Tt]alk|[Ss]peak|[Ww]rite|[Ss]ay) to) (?!I\b)\p{Lu}/u,
  new RegExp(String.raw`\b(?:and|then|but|also) ${BEFORE_VERB}(?:${EN_VERB}|post|append)\b`, 'iu'),
];

const ORDERS = new RegExp(String.raw`(?:^|[,;:]) ?${BEFORE_VERB}(?:${EN_VERB}|post)\b`, 'giu');

/** Tells whether a text is one sentence that says how its speaker wants to be answered, and nothing more. */
export function isOwnWish(text: string): boolean {
  const [sentence = '', ...more] = splitSentences(text, 2).filter((each) => each !== '');
  if (more.length > 0 || sentence.length > MAX_WISH || orderIn(sentence) === null) return false;
  if ([...sentence.matchAll(ORDERS)].length > 1) return false;
  return OWN.test(sentence) && !REACHES_FURTHER.some((sign) => sign.test(sentence));
}

function capitalised(order: string): string {
  return order.charAt(0).toUpperCase() + order.slice(1);
}
