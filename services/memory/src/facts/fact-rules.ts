import { dayOfYear, keyOf, tidy } from './fact-value.js';
import { isOfAnswers } from '../words/manners.js';
import type { Statement } from './statement.js';

/** A statement as a rule finds it: sure, unless it says otherwise. */
type FoundStatement = Omit<Statement, 'isSure'> & { isSure?: boolean };

/** A form of words, and what it says of whoever uses it. */
export interface FactRule {
  pattern: RegExp;
  read: (match: RegExpExecArray) => FoundStatement | FoundStatement[] | null;
  /** True where a comma may stand between its words: then it is matched against whole sentences. */
  hasComma?: boolean;
}

/**
 * `Stratford-upon-Avon`, `Rio de Janeiro`, `St. Ives`. A dash only joins parts of a word, so that each text matches in
 * one way.
 */
const PLACE = String.raw`(\p{Lu}[\p{L}.'’]*(?:-[\p{L}.'’]+| (?:(?:de|la|le|of|upon|am|an|der|del|do|da) )?\p{Lu}[\p{L}.'’]*){0,8})`;
const NAME = String.raw`(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)`;
/** Not followed by a pronoun, a clause or a time, which name no thing: "I love it", "I hate when it rains". */
const NAMED = String.raw`(?!(?:(?:the|to|so|as|really|eating|drinking|playing|watching|lik(?:e|ing)|lov(?:e|ing)|enjoy(?:ing)?) )*(?:the(?=[^\p{L}]*$)|it|this|that|these|those|them|they|he|she|i|him|her|his|you|your|us|we|me|myself|something|anything|nothing|everything|what|how|when|where|who|why|if|because|not|every|all|at|in|on|with|for|from|(?:hard|together|one)(?= (?:every|all|and|but|for|to|at|in|on)\b|[^\p{L}]*$|[^\p{L} ])|here|there|too|think|believe|say|know|see|hear|be|imagine|pretend)(?![\p{L}-]))`;
/** A few words, up to what ends a phrase. */
const THING = String.raw`${NAMED}([\p{L}\p{N}'’-]+(?: (?!(?:and|but|because|since|when|while|so|that|who|which|with|for|at|in|on|after|before|as|too|anymore|any|again|now|these|this|lately|very|really|more|a lot|so much|every|all)\b)[\p{L}\p{N}'’-]+){0,3})`;
const ROLE = String.raw`(?:an? |the )?([\p{L}-]+(?: (?!(?:and|but|at|for|in|on|with|now|since|last|this|from|because|when|again|there|here|who)\b)[\p{L}-]+){0,2})`;
const PARTNER = 'wife|husband|girlfriend|boyfriend|partner|fianc(?:é|e|ée|ee)';
const PET = 'dog|cat|rabbit|hamster|parrot|bird|horse|turtle|ferret|puppy|kitten|fish|snake|lizard';
const OCCUPATION =
  'nurse|teacher|student|doctor|lawyer|engineer|developer|programmer|designer|writer|artist|chef|cook|baker|barista|carpenter|electrician|plumber|pilot|driver|farmer|gardener|journalist|photographer|musician|dentist|vet|pharmacist|accountant|manager|librarian|translator|architect|scientist|researcher|professor|paramedic|firefighter|soldier|waiter|waitress|cashier|hairdresser|mechanic|therapist|psychologist|consultant|freelancer';
/** Meat dishes that somebody says they had. */
export const MEAT =
  'steak|chicken|beef|pork|burger|bacon|ham|turkey|lamb|ribs|sausages?|salami|schnitzel|kebab|meatballs?|wings';
/** Words before such a dish that say it has no meat. */
const MEATLESS =
  'vegan|veg(?:gie|etarian|etable)|meatless|meat-free|plant-based|tofu|seitan|soya?|fake|mock|faux|mushroom|beyond|impossible';
const EATS_MEAT = 'eats meat';
/** Apps that people join, and do not work for. */
const APP =
  'Discord|TikTok|Instagram|Facebook|Twitter|X|Threads|Bluesky|Mastodon|Reddit|Snapchat|Telegram|WhatsApp|Signal|Slack|Teams|Zoom|Tinder|Bumble|Hinge|LinkedIn|Twitch|YouTube|Spotify|Strava|Steam|Duolingo';
/** Companies that many leave for one another. */
const COMPANY = `${APP}|Google|Meta|Apple|Amazon|Microsoft|Netflix|Disney|Tesla|OpenAI|Anthropic|Nvidia|Intel|IBM|Oracle|Uber|SAP|Siemens|Bosch`;
/** Subjects of a study that people switch to. */
const SUBJECT = String.raw`(?:\p{L}+ )?(?:\p{L}+(?:ology|onomics|istry|ysics|ematics)|maths?|law|medicine|nursing|history|geography|philosophy|literature|linguistics|engineering|education|architecture|(?:computer|political|data|social) science)`;
/** "I'm single-minded", "I'm engaged in a project", "I'm married to my job". */
const NO_OTHER_TIE = String.raw`(?![\p{L}-]|(?<=engaged) (?:in|with|by|on)\b| from\b| to (?:my|the) (?:job|work)\b)`;
/** Titles and names of relatives: "I started seeing Dr. Smith" is about a doctor. */
const NO_PARTNER =
  'Mom|Mum|Mama|Mommy|Dad|Papa|Daddy|Grand(?:ma|pa)|Granny|Aunt|Uncle|Dr|Mr|Mrs|Ms|Prof(?:essor)?';
/** Words right before "call me" by which no name is given. */
const DENIED = String.raw`\p{L}{1,6}n['’]t|[Nn]ot|[Cc]annot|[Nn]ever|[Nn]obody|[Nn]o one|[Ss]top|[Qq]uit`;
/**
 * Not a day, "call me Friday" or "call me May 5th". Names that are months, too, as April and June, are names where no
 * number follows.
 */
const NO_DAY = String.raw`(?! (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|July|September|October|November|December)\b)(?! (?:April|May|June|August) \d)`;
/** Not followed by a month, as in "I was born in May". */
const NO_MONTH = String.raw`(?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)`;
/** End of what is said, but for its time or reason: "she left me last week", not "she left me some soup". */
const ENDS = String.raw`(?= ?(?:[^\p{L}\p{N}'’ -]|$)| (?:now|again|yesterday|today|recently|officially|(?:last|this) (?:week|weekend|month|year|morning|term|semester|spring|summer|autumn|fall|winter|\p{L}{3,6}day)|in (?!(?:the|an?|my|our|his|her)\b)\p{L}+|in \d+|since|because|and|but|so|when|after|before|(?:\p{L}+|\d+) (?:days?|weeks?|months?|years?) ago|for (?:good|another|someone|somebody|him|her|(?:my|his|an?|the) (?:\p{L}+ )?(?:friend|man|woman|guy|girl|boy|colleague|coworker|boss|neighbou?r|cousin|brother|sister|ex)))(?![\p{L}-]))`;
const NOW = String.raw`(?:now |currently |still |just |finally |recently |actually |officially )*`;
const I_AM = String.raw`\bi(?:['’]m| am|['’]ve been| have been)`;

const rule = (source: string, read: FactRule['read']): FactRule => ({
  pattern: new RegExp(source, 'giu'),
  read,
});
/** A rule whose names and places must be written as such. */
const ruleWithNames = (source: string, read: FactRule['read']): FactRule => ({
  pattern: new RegExp(
    source.replaceAll(/\\b(\w)/g, (_, letter: string) => `\\b[${letter}${letter.toUpperCase()}]`),
    'gu',
  ),
  read,
});

/** Keeps what the words name as the value of an attribute. */
const keepAs =
  (attribute: string): FactRule['read'] =>
  ([, one, other = '']) => ({ attribute, value: one ?? other });
/** Keeps a value of the thing that the words name. */
const keepOf =
  (topic: string, value: string | null): FactRule['read'] =>
  ([, thing = '']) => ({ attribute: `${topic}:${keyOf(thing)}`, value });

const overCommas = (one: FactRule): FactRule => ({ ...one, hasComma: true });

/** Forms of words by which people tell of themselves, in English. */
export const FACT_RULES: readonly FactRule[] = [
  // Who
  ruleWithNames(
    String.raw`\b(?:(${DENIED}) (?:ever )?(?:call|calls) me|my name is|my name['’]s|My name is|My name['’]s|(?:call|Call) me${NO_DAY}|I go by|changed my name to) ${NAME}`,
    ([, denied, name = '']) => (denied === undefined ? { attribute: 'name', value: name } : null),
  ),
  ruleWithNames(
    String.raw`^(?:(?:[Pp]lease|[Aa]nd|[Bb]ut|[Ss]o|[Jj]ust|[Hh]ey|[Oo]k|[Oo]kay) ){0,3}(?:[Dd]on['’]t|[Dd]o not|[Ss]top|[Qq]uit) (?:ever )?(?:call|calling) me ${NAME}`,
    ([, name = '']) => ({ attribute: 'name', value: null, was: name }),
  ),
  rule(String.raw`${I_AM} ${NOW}(\d{1,3}) years old\b|\bi ${NOW}(?:turned|turn) (\d{1,3})\b`, keepAs('age')),
  rule(
    String.raw`\bmy birthday(?: is|['’]s) (?:on )?(?:the )?(\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)`,
    ([, said = '']) => {
      const day = dayOfYear(said);
      return day === null ? null : { attribute: 'birthday', value: day };
    },
  ),
  // Where
  ruleWithNames(
    String.raw`\b(?:I|we|We)(?:['’]m|['’]re|['’]ve| am| are| have)? ${NOW}(?:been )?(?:live|living|based|reside|settled) ${NOW}in ${PLACE}`,
    keepAs('home'),
  ),
  ruleWithNames(
    String.raw`\b(?:I|we|We) (?:no longer|(?:don['’]t|do not)(?=[^,;.!?]{1,80} any ?more\b)) (live in|work at|work for) ${PLACE}`,
    ([, form, place = '']) => ({
      attribute: form === 'live in' ? 'home' : 'employer',
      value: null,
      was: tidy(place),
    }),
  ),
  ruleWithNames(
    String.raw`\b(?:I|we|We)(?:['’]ve| have)? ${NOW}(?:moved|relocated)(?: back| over| out)? (?:from [\p{L} ]{1,40}? )?to ${PLACE}`,
    keepAs('home'),
  ),
  ruleWithNames(
    String.raw`\bI ${NOW}(?:left|swapped) (?!(?:${COMPANY})\b)${PLACE} for (?!(?:${COMPANY})\b)${PLACE}`,
    ([, , place = '']) => ({ attribute: 'home', value: place }),
  ),
  // Or a company for a company, or one partner for another, where the former is known.
  ruleWithNames(String.raw`\bI ${NOW}(?:left|swapped) ${PLACE} for ${PLACE}`, ([, was = '', value = '']) =>
    ['employer', 'partner'].map((attribute) => ({ attribute, value, was: tidy(was), isChange: true })),
  ),
  ruleWithNames(
    String.raw`\b(?:(?:I['’]m|I am|I come)(?: originally)? from|I was born in|I grew up in) ${NO_MONTH}${PLACE}`,
    keepAs('origin'),
  ),
  // Work
  rule(String.raw`${I_AM} ${NOW}(?:working|employed) as ${ROLE}`, keepAs('job')),
  rule(
    String.raw`\bi ${NOW}(?:work|started(?: working| a job| a new job)?|got (?:a job|hired|promoted|a position)|got a new job|retrained) (?:as|to be) ${ROLE}`,
    keepAs('job'),
  ),
  rule(String.raw`\bi (?:was|got|have been) ${NOW}promoted to ${ROLE}`, keepAs('job')),
  rule(
    String.raw`(?:${I_AM} ${NOW}|\bi(?:['’]ve| have)? ${NOW}bec[ao]me )an? (?:[\p{L}-]+ )?(${OCCUPATION})(?![\p{L}'’-])`,
    keepAs('job'),
  ),
  ruleWithNames(
    String.raw`\bI(?:['’]m|['’]ve| am| have)? ${NOW}(?:work|working|started(?: working)?|been working)(?: at| for) (?:a company called )?${PLACE}`,
    keepAs('employer'),
  ),
  // People join companies, clubs and apps: what is joined is an employer where there was one.
  ruleWithNames(
    String.raw`\bI(?:['’]ve| have)? ${NOW}joined (?!(?:${APP})\b)${PLACE}(?! for fun)`,
    ([, value = '']) => ({ attribute: 'employer', value, isChange: true }),
  ),
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:quit|left|lost) (?:my|the) (?:\p{L}+ )?job\b|\bi (?:was|got) ${NOW}(?:fired|laid off|made redundant)\b(?! up)|${I_AM} ${NOW}unemployed\b|\bi ${NOW}(?:quit|resigned) (?:yesterday|today|last|this)\b`,
    () => [
      { attribute: 'job', value: null },
      { attribute: 'employer', value: null },
    ],
  ),
  rule(String.raw`\bi(?:['’]m| am|['’]ve| have)? ${NOW}retired\b`, () => [
    { attribute: 'job', value: 'retired' },
    { attribute: 'employer', value: null },
  ]),
  rule(
    String.raw`${I_AM} ${NOW}studying ${THING}|\bi ${NOW}(?:study|(?:switched|changed) my major to|started studying) ${THING}`,
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
  // With whom
  rule(
    String.raw`${I_AM} ${NOW}(single|married|divorced|engaged|widowed)${NO_OTHER_TIE}|\b(?:i|we) (?:just |finally )?got (married|engaged|divorced)\b`,
    keepAs('relationship'),
  ),
  ruleWithNames(
    String.raw`\b(?:(?:I['’]m|I am) ${NOW}dating|I ${NOW}(?:started|began) (?:dating|seeing)) (?!(?:${NO_PARTNER})\b)${NAME}`,
    ([, name = '']) => [
      { attribute: 'relationship', value: 'in a relationship' },
      { attribute: 'partner', value: name },
    ],
  ),
  rule(
    String.raw`\bi ${NOW}(?:(?:broke|split) up with (?!laughter\b)|left my (?:${PARTNER})${ENDS}|got dumped\b)|\bwe ${NOW}(?:broke|split) up\b|\bmy (?:${PARTNER}) (?:dumped me\b|left me${ENDS})`,
    () => [
      { attribute: 'relationship', value: 'single' },
      { attribute: 'partner', value: null },
    ],
  ),
  overCommas(
    ruleWithNames(
      String.raw`\b[Mm]y (?:${PARTNER})(?:['’]s name is| is called| is named|,) ${NAME}`,
      keepAs('partner'),
    ),
  ),
  // Animals
  overCommas(
    ruleWithNames(
      String.raw`\b(?:[Mm]y|[Oo]ur) (?:\p{L}+ )?(${PET})(?:['’]s name is| is called| is named) ${NAME}|\b(?:I|We|we) (?:have|got|adopted|own)(?: an?| another)? (?:\p{L}+ )?(${PET})(?:,)? (?:called|named) ${NAME}`,
      ([, pet, name, other = '', called = '']) => ({
        attribute: `pet:${kindOfPet(pet ?? other)}`,
        value: name ?? called,
      }),
    ),
  ),
  overCommas(
    rule(
      String.raw`\b(?:my|our) (${PET})(?: (?!not )\p{L}+)?,? (?:has |just |sadly )*(?:died|passed away|ran away)\b|\bi (?:gave away|lost|rehomed) my (${PET})\b`,
      ([, one, two = '']) => ({ attribute: `pet:${kindOfPet(one ?? two)}`, value: null }),
    ),
  ),
  // What they eat
  rule(
    String.raw`\bi(?:['’]m| am|['’]ve become| have become| became| turned| went|['’]ve gone| have gone) (?:now |a |an |strictly |fully |completely )*(vegan|vegetarian|pescatarian)\b`,
    ([, diet = '']) => ({ attribute: 'diet', value: diet.toLowerCase() }),
  ),
  rule(
    String.raw`\bi(?:['’]m| am) (?:no longer (?:an? )?(?:vegan|vegetarian|pescatarian)|not (?:an? )?(?:vegetarian|pescatarian))\b|\bi (?:stopped being|gave up being|quit being) (?:an? )?(?:vegan|vegetarian|pescatarian)\b|\bi(?:['’]m eating| eat|['’]ve started eating| started eating) meat\b`,
    () => ({ attribute: 'diet', value: EATS_MEAT }),
  ),
  rule(
    String.raw`\bi (?:(?:don['’]t|do not|no longer|can['’]t|cannot) eat|(?:have )?(?:stopped|quit|gave up|given up) eating) (?:any )?meat\b`,
    () => ({ attribute: 'diet', value: null, was: EATS_MEAT }),
  ),
  rule(
    String.raw`\bi ${NOW}(?:had|ate|ordered|grilled|devoured|made myself) (?!(?:[\p{L}-]+ )?(?:${MEATLESS})\b)(?:an?|some|the|my)? ?(?:\p{L}+ )?(?:${MEAT})\b(?! pox)`,
    () => ({ attribute: 'diet', value: EATS_MEAT, isSure: false }),
  ),
  rule(String.raw`${I_AM} (?:no longer|not) allergic to ${THING}`, keepOf('allergy', null)),
  rule(
    String.raw`${I_AM} ${NOW}(?:very |badly |deathly )?allergic to ${THING}`,
    keepOf('allergy', 'allergic'),
  ),
  // What they do
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:quit|stopped|gave up|given up) (smoking|drinking|running|climbing|swimming|gaming|vaping|cycling|dancing|painting|[\p{L}]+ing)\b`,
    keepOf('habit', null),
  ),
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:started|took up|taken up|began) (smoking|drinking|running|climbing|swimming|gaming|vaping|cycling|dancing|painting|knitting|pottery|yoga|boxing)\b(?: again)?`,
    keepOf('habit', 'does'),
  ),
  // What they like
  rule(
    String.raw`\bi(?:['’]d)?(?: really| generally| usually| always| also| much| still| just)* prefer (?:to )?${NAMED}((?:[\p{L}\p{N}'’&%/-]+ ?){1,16})`,
    ([text, thing = '']) =>
      isOfAnswers(text) ? null : { attribute: `prefers:${keyOfPreference(thing)}`, value: thing },
  ),
  rule(String.raw`\bi (?:no longer|don['’]t) prefer ${THING}`, ([, thing = '']) => ({
    attribute: `prefers:${keyOfPreference(thing)}`,
    value: null,
  })),
  rule(
    String.raw`\bmy (?:new |current )?favou?rite ([\p{L}]+(?: [\p{L}]+)?) is ${NOW}(?:the )?${THING}`,
    ([, sort = '', thing = '']) => ({ attribute: `favourite:${keyOf(sort)}`, value: thing }),
  ),
  rule(
    String.raw`\bi(?: really| just)? (?:(?:don['’]t|do not|no longer)(?! (?:really )?(?:think|believe|feel|say|know|mean|hate|dislike|detest)\b)|stopped|can['’]t stand|cannot stand|hate|dislike|detest)(?: really)? ?(?:like|liking|love|loving|enjoy|enjoying)? ?(?:the )?${THING}`,
    ([text, thing = '']) =>
      /\b(?:like|liking|love|loving|enjoy|enjoying|stand|hate|dislike|detest) /iu.test(text)
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

function kindOfPet(pet: string): string {
  const kinds: Record<string, string> = { puppy: 'dog', kitten: 'cat' };
  return kinds[pet.toLowerCase()] ?? pet.toLowerCase();
}
