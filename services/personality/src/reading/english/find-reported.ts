import { wordSet } from '@kith/reading';
import type { Clause } from '@kith/reading';

/** Words before a saying that make it the speaker's own, nobody's, or none: "something tells me", "I have to say". */
const NO_REPORTER =
  wordSet(`i we me us myself you your yours everyone everybody people nobody it that this which what who anyone something
  everything anybody every all whole world internet even opinion sense evidence fact facts truth logic reason history data
  gut heart brain mind head instinct experience to must should would could can may might let always never`);
/** Words of the speaker before a report that they pass on: "I know my boss thinks". */
const LEAD =
  /^(?:(?:and|but|so|well|also|ugh|lol|haha|oh|hey|today|yesterday) )*(?:i (?:\w+ )?(?:know|knew|heard|hear|guess|think|believe|bet|hate|remember)(?: that| how| it when| when)? )?/u;
/**
 * A verb of saying or thinking, with its listener and the beginning of the saying; alone, the saying is in the next
 * clause.
 */
const SAYING = new RegExp(
  [
    String.raw`^(?<by>(?:[\p{L}\p{N}']+ ){1,6}?)`,
    String.raw`(?:(?:says?|said|saying|thinks?|thought|claims?|claimed|believes?|believed|reckons?|reckoned|insists?|insisted|swears|swore|writes|wrote|jokes|joked|complains|complained|is convinced|was like|is like)|(?:tells?|told|telling|warns|warned)(?= (?:me|us|him|her|them)))`,
    String.raw`(?: (?:to )?(?:me|us|him|her|them))?(?: (?:yesterday|today|once|again|before|always))?(?: that| how)?`,
    String.raw`(?: (?:you|your|u|i|shut|go|get|fuck|screw)(?!\p{L})|$)`,
  ].join(''),
  'u',
);
/** A name or an opinion that another has of whom the turn is said to. */
const CALLING =
  /^(?<by>(?:[\p{L}\p{N}']+ ){1,6}?)(?:calls?|called|calling|finds?|found|considers?|considered) you(?!\p{L})/u;
const ACCORDING = /^according to (?<by>.+)$/u;
/** A verb of saying before its speaker, as it stands behind a quotation: "you are useless, says my boss". */
const SAID_BY = /^(?:says?|said|thinks|claims|claimed|reckons) (?!(?:i|you)(?!\p{L}))\S+(?: \S+){0,3}$/u;
/** Clause that goes on with insults that are reported: "…, lazy and rude", "… and that you never help". */
const GOES_ON = /^(?:(?:and )?that you |\p{L}+ and \p{L}+$)/u;
/** Most words of a clause that only tells who said the one before it: "you are useless, my boss said". */
const MAX_AFTERWARDS = 5;

/** Signs that the speaker is of the same opinion as those whose words they tell. */
const AGREED = new RegExp(
  [
    String.raw`(?<!\p{L})(?:is|are|was|were) (?:so |totally |absolutely |completely |probably |kind of |damn )?(?:right|correct|true)(?!\p{L})`,
    String.raw`(?<!\p{L})i (?:(?:do|totally|really|fully|completely|kind of|have to|must|can only|also|too|even) ){0,2}(?:agree|concur|think so|believe (?:him|her|them|it))`,
    String.raw`(?<!\p{L})(?:so do i|me too|i do too|as do i|same here|not wrong|has a point|have a point|starting to (?:agree|believe|think|see)|i (?:can |could |do )?(?:see|get|understand|know) why)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:yeah|yep|yup|yes|honestly|frankly|exactly|indeed|agreed|fair enough|spot on|can(?:not| not) (?:argue|disagree|blame)|(?:would|should|must) know|knows? best)(?!\p{L})`,
    String.raw`(?<!\p{L})and (?:you|it) (?:really |so |totally |clearly )?(?:are|is|do)$`,
  ].join('|'),
  'u',
);

/**
 * Tells of each clause whether it has what another says or thinks, and the speaker does not say as well.
 * @param hurts whether each clause has hurtful words
 */
export function findReported(clauses: readonly Clause[], hurts: readonly boolean[]): boolean[] {
  const said = clauses.map(({ words }) => words.join(' ').replace(LEAD, ''));
  if (said.some((text) => AGREED.test(text))) return clauses.map(() => false);
  const found: boolean[] = [];
  for (const [n, clause] of clauses.entries()) {
    const before = clauses[n - 1];
    const isOneSentence = before?.sentence === clause.sentence;
    const isOpened = isOneSentence && isOnlySaying(said[n - 1] ?? '');
    const goesOn =
      isOneSentence && found[n - 1] === true && hurts[n - 1] === true && GOES_ON.test(said[n] ?? '');
    const after = clauses[n + 1]?.sentence === clause.sentence ? (said[n + 1] ?? '') : '';
    const isShort = after.split(' ').length <= MAX_AFTERWARDS;
    const isClosed =
      isShort && (isOnlySaying(after) || SAID_BY.test(after) || isOfOther(ACCORDING.exec(after)));
    found.push(isReport(said[n] ?? '') || isOpened || goesOn || isClosed);
  }
  return found;
}

function isReport(text: string): boolean {
  return [SAYING, CALLING].some((form) => isOfOther(form.exec(text)));
}

function isOnlySaying(text: string): boolean {
  const match = SAYING.exec(text);
  return isOfOther(match) && match?.[0].length === text.length && !/ (?:you|i)$/u.test(text);
}

/** Tells whether somebody else is named before a saying. */
function isOfOther(match: RegExpExecArray | null): boolean {
  const by = match?.groups?.['by']?.trim().split(' ') ?? [];
  return by.length > 0 && !by.some((word) => NO_REPORTER.has(word)) && by.at(-1) !== 'my';
}
