import { isOfAnswers } from '../words/manners.js';
import {
  ENDED_TIE,
  endAnyOf,
  type FactRule,
  keepAs,
  keepPlace,
  keepOf,
  rule,
  ruleWithNames,
} from './fact-rule.js';
import { dayOfYear, keyOf, PREFERENCE, tidy, titled } from './fact-value.js';
import {
  APP,
  COMPANY,
  DENIED,
  EATS_MEAT,
  ENDS,
  I_AM,
  MEAT,
  MEATLESS,
  NAME,
  NAMED,
  NOW,
  NO_OTHER_CALL,
  NO_ALLERGEN,
  NO_ERRAND,
  NO_GAME,
  NO_JUDGED,
  NO_LOVER,
  NO_MONTH,
  NO_OTHER_COUNT,
  NO_OTHER_END,
  NO_OTHER_JOB,
  NO_OTHER_SPLIT,
  NO_OTHER_TIE,
  NO_OTHER_TIME,
  NO_PARTNER,
  NO_STUDIES,
  NO_TAUNT,
  NO_PLAIN_CALL,
  OCCUPATION,
  PARTNER,
  PLACE,
  PLAIN_COMPANY,
  PLAIN_NAME,
  PLAIN_PLACE,
  ROLE,
  SPAN,
  SUBJECT,
  THING,
} from './rule-words.js';

/** Words after a place where somebody stays a while, or leaves for another: "I moved to Rome for the summer", "… then back to Oslo". */
const FOR_A_WHILE =
  /^ (?:until|till|half|part of|during) |^ for (?:the|an?|a few|one|two|three|\d+) (?:summer|winter|weekend|week|weeks|months?|days?|semester|term)\b|^[^.;!?]{0,60} then (?:back |on |over )?to /iu;

/** Words that narrow a dislike: who hates hiking in the rain may love to hike. */
const ONLY_SOME =
  /^ (?:with|without|in|at(?! all)|on|for|from|that|who|which|when(?:ever)?|while|after|before|if|unless|as|but)(?!\p{L})/iu;

/** Forms of words by which people tell of themselves, in English. */
export const CLAUSE_RULES: readonly FactRule[] = [
  // Who
  ruleWithNames(
    String.raw`\b(?:(${DENIED}) (?:ever )?(?:call|calls) me|[Mm]y name(?: is|['’]s)|${NO_TAUNT}(?:call|Call) me${NO_OTHER_CALL}|I go by${NO_OTHER_CALL}|changed my name to) ${NAME}`,
    ([, denied, name = '']) => (denied === undefined ? { attribute: 'name', value: name } : null),
  ),
  ruleWithNames(
    String.raw`^(?:(?:[Pp]lease|[Aa]nd|[Bb]ut|[Ss]o|[Jj]ust|[Hh]ey|[Oo]k|[Oo]kay) ){0,3}(?:[Dd]on['’]t|[Dd]o not|[Ss]top|[Qq]uit) (?:ever )?(?:call|calling) me ${NAME}`,
    ([, name = '']) => ({ attribute: 'name', value: null, was: name }),
  ),
  ruleWithNames(
    String.raw`\b(?:[Mm]y name(?: is|['’]?s)|(?:[Jj]ust|[Yy]ou can|but) call me${NO_PLAIN_CALL}) ${PLAIN_NAME}`,
    ([, name = '']) => ({ attribute: 'name', value: titled(name) }),
  ),
  rule(
    String.raw`${I_AM} ${NOW}(?:(\d{1,3}) years old\b|([1-9]\d)(?=$|[.!,;)](?!\d)| (?:and(?! (?:\d|counting\b))|but|now|atm)\b))|\bi ${NOW}(?:turned|turn(?= \d{1,3} (?:today|now)\b)) (\d{1,3})\b${NO_OTHER_COUNT}`,
    ([, old, bare, turned = '']) => ({ attribute: 'age', value: old ?? bare ?? turned }),
  ),
  rule(
    String.raw`\bmy birthday(?: is|['’]s) (?:on )?(?:the )?(\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)`,
    ([, said = '']) => {
      const day = dayOfYear(said);
      return day === null ? null : { attribute: 'birthday', value: day };
    },
  ),
  // Where
  ruleWithNames(
    String.raw`\b(?:I|we|We)(?:['’]m|['’]re|['’]ve| am| are| have)? ${NOW}(?:been )?(?:live|living|based|reside|settled) ${NOW}in (?:${PLACE}|${PLAIN_PLACE})`,
    keepPlace('home', FOR_A_WHILE),
  ),
  ruleWithNames(
    String.raw`\b(?:I|we|We)(?:['’]ve| have)? ${NOW}(?:moved|relocated)(?: back| over| out)? (?:from [\p{L} ]{1,40}? )?to (?:(?!(?:${COMPANY})\b)${PLACE}|${PLAIN_PLACE})`,
    keepPlace('home', FOR_A_WHILE),
  ),
  ruleWithNames(
    String.raw`\bI ${NOW}(?:left|swapped) (?!(?:${COMPANY})\b)${PLACE} for (?!(?:${COMPANY})\b)${PLACE}`,
    ([, , place = '']) => ({ attribute: 'home', value: place }),
  ),
  ruleWithNames(String.raw`\bI ${NOW}moved (?:out of|away from) ${PLACE}`, ([, was = '']) =>
    endAnyOf(['home'], tidy(was)),
  ),
  ruleWithNames(
    String.raw`\b(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are) no longer (?:at|in|with|for) ${PLACE}|\bI ${NOW}(?:left|quit) (?:${PLACE}|(\p{Ll}{3,20}))${ENDS}`,
    ([, was, left, plain = '']) =>
      endAnyOf(was ? ['home', 'employer', 'partner'] : ['employer'], tidy(was ?? left ?? plain)),
  ),
  // One company or partner for another: kept only where the former is known.
  ruleWithNames(String.raw`\bI ${NOW}(?:left|swapped) ${PLACE} for ${PLACE}`, ([, was = '', value = '']) =>
    ['employer', 'partner'].map((attribute) => ({ attribute, value, was: tidy(was), isChange: true })),
  ),
  ruleWithNames(
    String.raw`\b(?:(?:I['’]m|I am|I come)(?: originally)? from|I was born in|I grew up in) ${NO_MONTH}(?:${PLACE}|${PLAIN_PLACE})`,
    keepPlace('origin'),
  ),
  // Work
  rule(String.raw`${I_AM} ${NOW}(?:working|employed) as ${ROLE}`, keepAs('job')),
  rule(
    String.raw`\bi ${NOW}(?:work|started(?: working| a job| a new job)?|got (?:a job|hired|promoted|a position)|got a new job|retrained) (?:as|to be) ${ROLE}`,
    keepAs('job'),
  ),
  rule(
    String.raw`(?:\bi (?:was|got|have been) ${NOW}promoted to|\b(?:they|my boss) (?:have )?${NOW}(?:promoted me to|made me(?! lead\b)(?= (?:the |an? )?(?:(?!(?:the|an?|my|our|their|his|her|your)\b)[\p{L}-]+ ){0,2}(?:manager|supervisor|lead|chef|director)${ENDS}))) ${ROLE}`,
    keepAs('job'),
  ),
  rule(
    String.raw`(?:${I_AM} ${NOW}|\bi(?:['’]ve| have)? ${NOW}bec[ao]me )an? (?:${NO_JUDGED}[\p{L}-]+ )?(${OCCUPATION})(?![\p{L}'’-])`,
    keepAs('job'),
  ),
  ruleWithNames(
    String.raw`\bI(?:['’]m|['’]ve| am| have)? ${NOW}(?:work|working|started(?: working)?|been working)(?: at| for) (?:a company called )?${PLACE}`,
    keepAs('employer'),
  ),
  ruleWithNames(
    String.raw`\bI(?:['’]m|['’]ve| am| have)? ${NOW}(?:work|working|been working|(?:started|got|have) (?:working|(?:a|my) (?:new )?job)) at ${PLAIN_COMPANY}`,
    ([, name = '']) => ({ attribute: 'employer', value: titled(name) }),
  ),
  // People join companies, clubs and apps: what is joined is an employer where there was one.
  ruleWithNames(
    String.raw`\bI(?:['’]ve| have)? ${NOW}joined (?!(?:${APP})\b)${PLACE}(?! for fun)`,
    ([, value = '']) => ({ attribute: 'employer', value, isChange: true }),
  ),
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:quit|left|lost) (?:my|the|this) (?:\p{L}+ )?job\b${NO_OTHER_JOB}|\bi (?:was|got) ${NOW}(?:fired|laid off|made redundant)\b(?! up)|${I_AM} ${NOW}unemployed\b|\bi ${NOW}(?:quit|resigned) (?:yesterday|today|(?:last|this) (?:${SPAN}))\b`,
    () => [
      { attribute: 'job', value: null },
      { attribute: 'employer', value: null },
    ],
  ),
  rule(String.raw`\bi(?:['’]m| am|['’]ve| have)? ${NOW}retired\b${NO_OTHER_END}`, () => [
    { attribute: 'job', value: 'retired' },
    { attribute: 'employer', value: null },
  ]),
  rule(
    String.raw`${I_AM} ${NOW}studying (?!${NO_STUDIES}\b)${THING}|\bi ${NOW}(?:study|(?:switched|changed) my major to|started studying) ${THING}`,
    keepAs('studies'),
  ),
  rule(String.raw`\bi ${NOW}switched to (${SUBJECT})${ENDS}`, ([, value = '']) => ({
    attribute: 'studies',
    value,
    isChange: true,
  })),
  rule(
    String.raw`\bi ${NOW}(?:dropped out(?: of (?:my |the )?(?:\p{L}+ )?(?:uni|university|college|school|phd|degree|program(?:me)?|studies))?${ENDS}|graduated\b|finished (?:my degree|uni|university|college|school)(?! today)${ENDS})`,
    () => ({ attribute: 'studies', value: null }),
  ),
  // What they are not: that value ends, and no other is known.
  rule(
    String.raw`${I_AM} (?:not|no longer) (?:(single|married|engaged)${NO_OTHER_TIE}|(?:an? )?(vegan)\b|an? (${OCCUPATION})(?![\p{L}'’-]))`,
    ([, tie, diet, job]) => {
      const attribute = tie ? 'relationship' : diet ? 'diet' : 'job';
      return { attribute, value: null, was: tie ?? diet ?? job };
    },
  ),
  // With whom
  rule(
    String.raw`(?:${I_AM}|\bwe(?:['’]re| are)) ${NOW}(?:happily |newly )?(single|married|divorced|engaged|widowed)${NO_OTHER_TIE}${NO_GAME}|\b(?:i|we) (?:just |finally )?got (married|engaged|divorced)\b(?! parents\b)${NO_GAME}`,
    keepAs('relationship'),
  ),
  rule(
    String.raw`${I_AM} ${NOW}in a (?:\p{L}+ )?relationship\b(?! with\b)|\bwe(?:['’]re| are) ${NOW}(?:dating|a couple)${ENDS}|\b(?:i|we) ${NOW}got back together${ENDS}|\bi(?:['’]ve| have)?(?: got| have)? a (?:new )?(?:girl|boy)friend${ENDS}${NO_GAME}`,
    () => ({ attribute: 'relationship', value: 'in a relationship' }),
  ),
  ruleWithNames(
    String.raw`\b(?:(?:I['’]m|I am) ${NOW}dating|I ${NOW}(?:started|began) (?:dating|seeing)) (?!(?:${NO_PARTNER})\b)${NAME}`,
    ([, name = '']) => [
      { attribute: 'relationship', value: 'in a relationship' },
      { attribute: 'partner', value: name },
    ],
  ),
  rule(
    String.raw`\bi ${NOW}(?:(?:broke|split) up with (?!laughter\b|${NO_LOVER})|left my (?:${PARTNER})${NO_ERRAND}${ENDS}|got dumped\b)|\bwe ${NOW}(?:broke|split) up\b${NO_OTHER_SPLIT}|\bmy (?:${PARTNER}) (?:(?:just |finally )?(?:dumped|broke up with|divorced) me\b|left me${NO_ERRAND}${ENDS})`,
    () => ENDED_TIE,
  ),
  // What they eat
  rule(
    String.raw`(?:${I_AM}|\bi(?:['’]ve become| have become| became| turned| went|['’]ve gone| have gone)) (?:now |a |an |strictly |fully |completely )*(vegan|vegetarian|pescatarian)\b${NO_OTHER_TIME}`,
    ([, diet = '']) => ({ attribute: 'diet', value: diet.toLowerCase() }),
  ),
  rule(
    String.raw`\bi(?:['’]m| am) (?:no longer (?:an? )?(?:vegan|vegetarian|pescatarian)|not (?:an? )?(?:vegetarian|pescatarian))\b|\bi (?:stopped being|gave up being|quit being) (?:an? )?(?:vegan|vegetarian|pescatarian)\b|\bi(?:['’]m eating| eat|['’]ve started eating| started eating) meat\b`,
    () => ({ attribute: 'diet', value: EATS_MEAT }),
  ),
  rule(
    String.raw`\bi (?:(?:don['’]t|do not|no longer|can['’]t|can ?not) eat|(?:have )?(?:stopped|quit|gave up|given up) eating) (?:any )?meat\b${NO_OTHER_TIME}`,
    () => ({ attribute: 'diet', value: null, was: EATS_MEAT }),
  ),
  rule(
    String.raw`\bi ${NOW}(?:had|ate|ordered|grilled|devoured|made myself) (?!(?:[\p{L}-]+ )?(?:${MEATLESS})\b)(?:an?|some|the|my)? ?(?:\p{L}+ )?(?:${MEAT})\b(?! pox)`,
    () => ({ attribute: 'diet', value: EATS_MEAT, isSure: false }),
  ),
  rule(String.raw`${I_AM} (?:no longer|not) allergic to ${THING}`, keepOf('allergy', null)),
  rule(
    String.raw`${I_AM} ${NOW}(?:very |badly |deathly )?allergic to (?!${NO_ALLERGEN}(?![\p{L}-]))${THING}`,
    keepOf('allergy', 'allergic'),
  ),
  // What they do
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:quit|stopped|gave up|given up) (\p{L}+ing)(?: cold turkey)?${ENDS}`,
    keepOf('habit', null),
  ),
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:started|took up|taken up|began) (smoking|drinking|running|climbing|swimming|gaming|vaping|cycling|dancing|painting|knitting|pottery|yoga|boxing)${ENDS}`,
    keepOf('habit', 'does'),
  ),
  // What they like
  rule(
    String.raw`\bi(?:['’]d)?(?: really| generally| usually| always| also| much| still| just)* prefer (?:to )?${NAMED}((?:[\p{L}\p{N}'’&%/-]+ ?){1,16})`,
    ([text, thing = '']) =>
      isOfAnswers(text) ? null : { attribute: `${PREFERENCE}${keyOfPreference(thing)}`, value: thing },
  ),
  rule(String.raw`\bi (?:no longer|don['’]t) prefer ${THING}`, ([, thing = '']) => ({
    attribute: `${PREFERENCE}${keyOfPreference(thing)}`,
    value: null,
  })),
  rule(
    String.raw`\bmy (?:new |current )?favou?rite ([\p{L}]+(?: [\p{L}]+)?) is ${NOW}(?:the )?${THING}`,
    ([, sort = '', thing = '']) => ({ attribute: `favourite:${keyOf(sort)}`, value: thing }),
  ),
  rule(
    String.raw`\bi(?: really| just)? (?:(?:don['’]t|do not|no longer)(?! (?:only|just|merely)\b| (?:really )?(?:think|believe|feel|say|know|mean|hate|dislike|detest)\b)|stopped|can['’]t stand|can ?not stand|hate|dislike|detest)(?: really| actually| particularly| especially| even)? ?(?:like|liking|love|loving|enjoy|enjoying)? ?(?:the )?${THING}`,
    ({ 0: text, 1: thing = '', index, input }) =>
      /\b(?:like|liking|love|loving|enjoy|enjoying|stand|hate|dislike|detest) /iu.test(text) &&
      !ONLY_SOME.test(input.slice(index + text.length))
        ? { attribute: `likes:${keyOf(thing)}`, value: 'dislikes' }
        : null,
  ),
  rule(
    String.raw`\bi(?: really| absolutely| just| still| do| totally)* (?:love|like|enjoy|adore)(?: eating| drinking| playing| watching)? (?:the )?${THING}|${I_AM} (?:really |so |totally )?into ${THING}`,
    ([text, one, two = '']) =>
      isOfAnswers(text) ? null : { attribute: `likes:${keyOf(one ?? two)}`, value: 'likes' },
  ),
];

/**
 * Names the subject of a preference: both things of "tea over coffee", so that "coffee over tea" ends it; else its
 * first words.
 */
function keyOfPreference(preferred: string): string {
  const [first = '', second] = tidy(preferred).split(/ (?:over|rather than|instead of|to) /iu);
  const few = (thing: string) => keyOf(thing).split(' ').slice(0, 4).join(' ');
  return second === undefined ? few(first) : [few(first), few(second)].toSorted().join(' or ');
}
