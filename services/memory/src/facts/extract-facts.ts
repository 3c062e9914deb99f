import { isNegated, readClauses, readWords, textForRules, type Clause, wordSet } from '@kith/reading';
import { withSubjectOf } from './elided-subject.js';
import type { FactRule } from './fact-rule.js';
import { CLAUSE_RULES } from './fact-rules.js';
import { PREFERENCE, tidy } from './fact-value.js';
import { readIntroduction } from './read-introduction.js';
import { PARTNER } from './rule-words.js';
import { SENTENCE_RULES } from './sentence-rules.js';
import type { Statement } from './statement.js';

/** Clause about who the speaker is in a game or a play, or would be in another life. */
const PLAYED = new RegExp(
  [
    String.raw`^(?:(?:and|but|so) )?(?:(?:in (?:skyrim|stardew(?: valley)?|minecraft|the sims|roblox|fallout|baldur's gate|animal crossing|d&d`,
    String.raw`|(?:the|this|my|our) (?:(?:next|last|first|current|new) )?(?:game|round|level|campaign|quest|role-?play|rp))`,
    String.raw`|for (?:halloween|carnival|(?:the|my|our) (?:school )?play)|(?:in (?:my|the) )?next life),? i(?:'m| am) an? `,
    String.raw`|in (?:skyrim|stardew(?: valley)?|minecraft|the sims|roblox|fallout),? i live )`,
  ].join(''),
  'iu',
);
/** Words that take back what was said before them. */
const TAKEN_BACK = String.raw`(?:(?:(?:but )?i was |i(?:'m| am) )?(?:(?:just|only|totally) )?(?:kidding|joking)|jk|not|sike)(?: haha| lol| lmao)?[.!]*$`;
/** Sentence that is a joke as a whole. */
const JESTED = new RegExp(String.raw`^two truths and (?:a|one) lie(?!\p{L})|,? /s$|, ${TAKEN_BACK}`, 'iu');
/** End of such a sentence without a comma, in small letters: "JK" may be a name. */
const JESTED_LAST = / jk[.!]*$/u;
/** Sentence that takes back the one before it. */
export const TAKES_BACK = new RegExp(
  String.raw`^(?:(?:nah|no|lol|haha|ok|okay)[, ]+)?(?:${TAKEN_BACK}|jk(?:,| (?!(?:rowling|simmons)\b)))`,
  'iu',
);

/** Words that mark a wish, a condition or a plan, which are no facts. */
const UNREAL =
  /\b(?:if i|would|wish|might|(?:i|we|you) may|could|should|maybe|perhaps|thinking (?:of|about)|(?:me|us) to (?:say|tell|write|claim|pretend)|considering|hope to|hoping to|want to|wanna|going to|gonna|planning|plan to|dream(?:ed|t)? (?:of|about|that)|imagine|pretend|almost|nearly|used to|never|as a (?:kid|child)|when i was|in my dream|(?:lied|lying|joking|kidding|wrong|mistaken) when i)\b|\bno (?:more|longer)[.!]*$/iu;

/** Words by which the form of what is so says that it has ended: "I used to live in Lyon", "I don't work at Bosch any more". */
const FORMER = new RegExp(
  [
    String.raw`\b(i|we)(?:( used to)(?! (?:.* )?(?:still|again|back)\b)`,
    String.raw`|('m| am|'re| are)? (?:no longer|(?:not|don't|do not)(?=[^,;.!?]{1,80} any ?more\b))`,
    String.raw`(?! (?:really |even |an? )?(?:like|love|enjoy|prefer|eat|vegan|vegetarian|pescatarian|allergic|at|in(?! a)|with|for)\b))( be\b)?`,
  ].join(''),
  'iu',
);

/** Words before a statement that is only feared, hoped, awaited or compared: "once I'm married", "I hope I'm not allergic to nuts". */
const SUPPOSED =
  /\b(?:when(?:ever)?|once|until|till?|before|as soon as|by the time|in case|as (?:if|though)|not like|(?:feel|feels|felt|seems?) like|hop(?:e|ing|efully)|pray(?:ing)?|fingers crossed|doubt|what if|wdym|tell me|some ?day|one day|soon|tomorrow|next (?:week|month|year|time)|in (?:my|your) dreams?)(?:,| that)? (?:i|we)(?:'m|'re| (?:\p{L}+ly )?(?:am|are|don't|do|work|live|get|turn|have|study|quit|move|retire|like|love|hate|join|start))\b/iu;

/** Beginning of a question, which chat often leaves without its mark. */
const ASKS =
  /^(?:(?:and|but|so|wait|hey|ok|okay) )?(?:do|does|did|is|are|am|was|were|has|have|should|why|since when) (?:i|you|we|he|she|it|they|my|your|am|are|do|did)\b/iu;

/** People whose diagnosis counts as true, by their title or its end: "dermatologist", "psychologists". */
const DOCTOR = String.raw`\p{L}{0,15}(?:doctor|doc|gp|physician|surgeon|dentist|therapist|nurse|midwife|allergist|dieti[ct]ian|nutritionist|pharmacist|specialist|vet|ologist|iatrist|iatrician)s?(?![\p{L}'-])`;
/** Verbs of a report, with the words around them and the first word of what is reported. */
const REPORTS = String.raw`(?:'ve| (?:have|has|had|always|once|just|also|only|still|all|seems? to|must)){0,2}(?: (?:keeps?|kept))? (?:text(?:s|ed)?|messaged|replied|answered|posted|goes|went|said|says?|saying|told|tells?|telling|thinks?|thought|thinking|wrote|written|writing|claim(?:s|ed|ing)?|believe[sd]?|assume[sd]?|insist(?:s|ed)?|mention(?:s|ed)?|reckon(?:s|ed)?|(?:is|was|were|be) (?:all )?like(?! (?:me|us|my|our|him|her|them|you)\b))(?: (?:to )?(?:me|us|him|her|them|you|everyone|everybody|people))?(?: that)? (?:i|we|my|our)\b`;
/** Report of what others say or think of the speaker: it may be wrong, and is often told because it is. */
const REPORTED = new RegExp(
  String.raw`\b(?:who|you|she|he|they|everyone|everybody|people|someone|somebody|(?:my|our|your)(?: (?!${DOCTOR})[\p{L}'-]+){1,3})${REPORTS}`,
  'iu',
);
/** Report by somebody who is named in one word. */
const REPORTED_BY_ONE = new RegExp(String.raw`(?<![\p{L}\p{N}'-])(?<one>[\p{L}'-]{2,30})${REPORTS}`, 'iu');
/** Report whose source is no speaker. */
const HEARSAY =
  /\b(?:according to (?:spotify|netflix|youtube|google|you|him|her|them|everyone|everybody|people|some)|rumou?r has it(?: that)?) (?:i|we|my|our)\b/iu;
/** End of a clause before somebody else's words: "He was like, I'm a vegan". */
const OPENS = /(?<!\p{L})(?:is|was|were|be) (?:all )?like$/iu;
/** Words that are nobody's name, though they begin with a capital where they begin a sentence. */
const NO_NAME =
  /^(?:\p{L}+n['’]t|not|never|have|had|we|really|honestly|actually|finally|apparently|usually|recently|clearly|previously|obviously|literally|basically|seriously|certainly|definitely|probably|suddenly|repeatedly|constantly|early|lately|eventually|having|being|during|something|anything|everything|nothing|just|already|also|still|yesterday|always|even|only|once|twice|again|earlier|later|today|tonight|then|now|as|been|keep|enough|and|but|so|or|well|ok|okay|it|this|that|which|who|like|when|what)$/iu;
/** Verb forms that no single name goes with: in "Please tell everyone I live in Graz", nobody reports. */
const ORDERED = /\b(?:say|tell|think|write|claim|believe|assume|insist|mention|reckon)(?:ing)?\b/iu;
/** Facts that people know from doctors, family and papers: kept where others report them, too. */
const KNOWN_BY_OTHERS = /^(?:allergy:|(?:origin|birthday)$)/u;

/** End of a sentence that confirms what is reported in it. */
const AGREED =
  / and (?:i (?:do|am|have)|(?:it|that)(?:'s| is) (?:true|right|so)|(?:you|they)(?:'re| are) right)[.!]?$/iu;

/** People who know more of the speaker's birth and childhood than the speaker does. */
const KIN =
  /^(?:my|our)(?: [\p{L}'-]+){0,2} (?:mother|mom|mommy|mum|mama|father|dad|daddy|papa|parents|folks|grand(?:mother|father|parents|ma|pa)|granny|sister|brother|siblings|aunt|uncle|family)s?(?![\p{L}'-])/iu;
/** Words that open what the speaker says of themself. */
const OWN = /^(?:(?:and|but|so) )?(?:i|we|my|our)\b/iu;

/** Somebody whose words follow, as in a play: "my sister: I'm vegan". */
const SPEAKER = new RegExp(
  String.raw`^(?:me|him|her|them|he|she|they|everyone|everybody|nobody|no one|(?:(?:my|our|some|this|that|the) )?(?:\p{L}+ )?(?:mother|mom|mum|father|dad|parents|sister|brother|friend|boss|teacher|coworker|colleague|roommate|guy|girl|man|woman|dude|kid|son|daughter|${PARTNER}))$`,
  'iu',
);

/** Words before a colon that head the speaker's own words, and are no name as in a copied chat: "lena: i moved". */
const HEADING =
  /^(?:guys|hi|hey|hello|breaking|dm|re|\p{L}{3,6}day|updates?|edit|p{1,3}sa?|fyi|tl;?dr|notes?|news|facts?|spoiler|reminder|intro|bio|about|answer|status|truth|result|summary|background|context|disclaimer|story|jobs?|work|school|home|diet|food|pets?|hobby|family|relationship|plans?|goals?|reason|problem|situation|basically|\p{L}{3,}(?:ing|[st]ion)|\p{L}{4,}(?:ment|ies)|first|second|third|pros|cons|sorry|secret|important|opinion|info|random|rant|recap|current|music|money|love|age|look|listen|see|remember|yes|no|anyways)$/iu;

/** Verbs that, negated, deny what follows: "I don't think I like jazz". */
const CLAIMS = wordSet(
  'think thinks thinking believe believes say says saying mean feel guess know knows claim claiming sure',
);

/** Orders to drop what follows: "forget that I live in Berlin". */
const DROPS = wordSet('forget delete remove erase unlearn');
/** Words before such a verb that make it no order: "you always forget that". Nor is it one where it is negated. */
const NO_ORDER = wordSet('you i we they he she people everyone everybody always often');
/** Judgements that, negated, deny what follows: "it's not true that I live in Berlin". */
const TRUE = wordSet('true right correct');
/** Judgements that deny what follows unless they are negated: "it's wrong that I live in Berlin". */
const UNTRUE = wordSet('wrong untrue false lie myth');
/** Words between any of these and a statement. */
const BETWEEN = wordSet('that about the fact');

/** Negations right before a statement, as other languages have them: "No vivo en Graz" is read as "not I live in Graz". */
const BARE = wordSet('not never');

/** Characters before a statement that are searched for a denial: a few words. */
const MAX_DENIAL = 60;

/**
 * Reads lasting facts that a line states about its speaker. By rules, for English: only plain first-person statements
 * in known forms. What is implied, reported or ironic is left to a model.
 */
export function extractFacts(text: string): Statement[] {
  const found = new Map<string, Statement>();
  const said = textForRules(text);
  // All of it is an act: "*I am a vampire*".
  if (/^([*_])[^*_\n]+\1$/u.test(said)) return [];
  const introduced = /[?？]$/u.test(said) ? null : readIntroduction(said);
  if (introduced !== null) found.set('name', { attribute: 'name', value: introduced, isSure: true });
  const { clauses, isQuotation } = readClauses(said);
  // The speaker may quote somebody else.
  for (const statement of isQuotation ? [] : statementsIn(clauses)) {
    const before = found.get(statement.attribute);
    // Stated facts go before inferred ones; of two of a kind the later counts.
    if (before?.isSure && !statement.isSure) continue;
    // "Call me Tim, don't call me Tom": the end of another value leaves the stated one.
    if (before && before.value !== null && statement.was !== undefined && before.value !== statement.was)
      continue;
    found.set(statement.attribute, statement);
  }
  return [...found.values()];
}

function statementsIn(clauses: readonly Clause[]): Statement[] {
  const told = clauses.filter((clause) => !isAsked(clause));
  const opened = whereOthersSpeak(told);
  return told.flatMap(({ text, sentence }, n) => {
    const before = told[n - 1]?.sentence === sentence ? told[n - 1] : undefined;
    const isPlayed = PLAYED.test(text) || (PLAYED.test(before?.text ?? '') && /^and /iu.test(text));
    const own = withSubjectOf(before?.text ?? '', text);
    const former = FORMER.exec(own);
    const all = [
      ...statementsBy(CLAUSE_RULES, own, sentence),
      ...(former ? endedBy(former, sentence) : []),
      ...(before ? [] : statementsBy(SENTENCE_RULES, sentence, sentence)),
    ];
    // What a sentence says as a whole is somebody else's where its first words open theirs.
    const isOthers = (opened.get(sentence) ?? Infinity) <= (before ? n - 1 : n);
    const statements = isOthers ? all.filter(({ attribute }) => KNOWN_BY_OTHERS.test(attribute)) : all;
    const after = told.slice(n + 1).find((clause) => clause.sentence !== sentence)?.sentence ?? '';
    const isInJest =
      isPlayed || JESTED.test(sentence) || JESTED_LAST.test(sentence) || TAKES_BACK.test(after);
    return isInJest ? statements.filter(isSafeInJest) : statements;
  });
}

/** Finds for each sentence the first clause that opens somebody else's words. */
function whereOthersSpeak(told: readonly Clause[]): Map<string, number> {
  const opened = new Map<string, number>();
  for (const [n, clause] of told.entries()) {
    if (!opened.has(clause.sentence) && opensReport(clause)) opened.set(clause.sentence, n);
  }
  return opened;
}

/** Ends what such words say in the present, and nothing behind it: "I used to work at Bosch until I moved to Rome". */
function endedBy(former: RegExpExecArray, sentence: string): Statement[] {
  const [, who = '', , am = '', be] = former;
  const being = be === undefined ? am : who.toLowerCase() === 'i' ? ' am' : ' are';
  const present = `${who}${being}${former.input.slice(endOf(former))}`;
  return statementsBy(CLAUSE_RULES, present, sentence, 0).flatMap(({ attribute, value, isSure, isChange }) =>
    value === null || isChange ? [] : [{ attribute, value: null, was: value, isSure }],
  );
}

/** Tells whether a statement is kept even from a jest: an allergy that is lost is worse than one that is played. */
export function isSafeInJest({ attribute }: Statement): boolean {
  return attribute.startsWith('allergy:');
}

/** @param last where in the text the last may begin */
function statementsBy(rules: readonly FactRule[], text: string, sentence: string, last = text.length) {
  if (UNREAL.test(text)) return [];
  const supposed = SUPPOSED.exec(text)?.index ?? text.length;
  const reports = AGREED.test(sentence) ? [] : findReports(text);
  return rules.flatMap(({ pattern, read }) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => index < supposed && index <= last)
      .filter((match) => !isDenied(text.slice(Math.max(0, match.index - MAX_DENIAL), match.index)))
      .flatMap((match) =>
        [read(match) ?? []]
          .flat()
          .filter(({ attribute }) => !isReported(match, attribute, reports) && !isOfNone(match, attribute)),
      )
      .map(({ value, isSure = true, ...said }) => ({
        ...said,
        isSure,
        value: value === null ? null : tidy(value),
      })),
  );
}

/** Report in a text. */
interface Report {
  /** Place in the text from which it says what is reported. */
  end: number;
  /** True for who may know of allergies, origin and birthday. */
  mayKnow: boolean;
}

/**
 * Tells whether the rest of a clause's sentence is somebody else's: "my sister: I'm vegan and I live in Graz". It takes a colon,
 * as "my boss told me, I work late" may be the speaker's.
 */
function opensReport({ text, sentence }: Clause): boolean {
  if (!OPENS.test(text) && !sentence.includes(`${text}: `)) return false;
  const isName = /^\p{L}[\p{Ll}'-]{1,19}$/u.test(text) && !HEADING.test(text) && !NO_NAME.test(text);
  return isName || SPEAKER.test(text) || findReports(`${text} I`).some(({ end }) => end > text.length);
}

function findReports(text: string): Report[] {
  const report = REPORTED.exec(text);
  const heard = HEARSAY.exec(text);
  const byOne = REPORTED_BY_ONE.exec(text);
  const one = byOne?.groups?.['one'] ?? '';
  // A name in small letters is one where the text begins with it: "priya thinks I'm vegan".
  const isName = (byOne?.index === 0 || /^\p{Lu}\p{Ll}/u.test(one)) && !NO_NAME.test(one);
  return [
    ...(heard ? [{ end: endOf(heard), mayKnow: true }] : []),
    ...(report ? [{ end: endOf(report), mayKnow: KIN.test(report[0]) }] : []),
    ...(byOne && isName && !ORDERED.test(byOne[0]) ? [{ end: endOf(byOne), mayKnow: true }] : []),
  ];
}

/** Tells whether a statement is what others report. One that ends before what they say begins is the speaker's own. */
function isReported(match: RegExpExecArray, attribute: string, reports: readonly Report[]): boolean {
  return reports.some(
    ({ end, mayKnow }) => endOf(match) >= end && !(mayKnow && KNOWN_BY_OTHERS.test(attribute)),
  );
}

function endOf({ index, 0: words }: RegExpExecArray): number {
  return index + words.length;
}

/** Tells whether a clause asks: "I live in Graz, do you like it?" tells and asks. */
function isAsked({ text, sentence }: Clause): boolean {
  return /[?？]$/u.test(text) || ASKS.test(text) || (/[?？]$/u.test(sentence) && !OWN.test(text));
}

/** Denial within what a statement names, in small letters: "No Doubt" is a name. */
const NONE = /(?<![\p{L}'’-])(?:no|not|none|neither|nor|nobody|nothing|hardly|barely|never)(?![\p{L}'’-])/u;

/** Tells whether what a statement names is nothing: "I like neither tea nor coffee". One may prefer to have no sugar. */
function isOfNone([, ...named]: RegExpExecArray, attribute: string): boolean {
  return !attribute.startsWith(PREFERENCE) && named.some((words) => NONE.test(words));
}

/** Tells whether a denial stands right before a statement. */
function isDenied(before: string): boolean {
  // What stands before a dash is another clause: "That's not true - I live in Graz".
  const words = readWords(before.split(/[–—]|\s-\s/u).at(-1) ?? '');
  const at = words.findLastIndex((word) => !BETWEEN.has(word));
  const word = words[at] ?? '';
  // A comma between ends what it denies: "No, my dog is called Max".
  if (/[\p{L}'’]\s*$/u.test(before) && BARE.has(words.at(-1) ?? '')) return true;
  if (DROPS.has(word)) return !NO_ORDER.has(words[at - 1] ?? '') && !isNegated(words, at);
  if (words.at(-1) === 'that' && UNTRUE.has(word)) return !isNegated(words, at);
  const mayDeny = CLAIMS.has(word) || (words.at(-1) === 'that' && TRUE.has(word));
  return mayDeny && isNegated(words, at);
}
