import { textForRules, trimEndOf } from '@kith/reading';
import { readIntroduction } from './read-introduction.js';

/** Something a person says of themselves that holds until it changes. */
export interface Statement {
  /** What it is about: `home`, `diet`, `likes:sushi`. One attribute has one value at a time. */
  attribute: string;
  /** Null: it holds no longer, and nothing is said of what holds instead. */
  value: string | null;
  /** False: it follows from what was said, and may be wrong. */
  isSure: boolean;
  /** A sentence that says so, where the attribute is none that we have words for. */
  wording?: string | undefined;
  /** When it will hold no longer, as far as that is known today: the day of a plan is over then. */
  until?: Date | undefined;
  /** 1 to 10, where that is known. */
  importance?: number | undefined;
  /** Of an end: the value that holds no longer. Another one is not meant. */
  was?: string | undefined;
  /** It is known by the question before the line: the same words may answer another one next time. */
  isAnswer?: boolean | undefined;
}

type Found = Omit<Statement, 'isSure'> & { isSure?: boolean };

interface Rule {
  pattern: RegExp;
  read: (match: RegExpExecArray) => Found | Found[] | null;
}

/** `Stratford-upon-Avon`, `Rio de Janeiro`, `St. Ives`: a dash joins within a word alone, so there is one way to read each. */
const PLACE = String.raw`(\p{Lu}[\p{L}.'’]*(?:-[\p{L}.'’]+| (?:(?:de|la|le|of|upon|am|an|der|del|do|da) )?\p{Lu}[\p{L}.'’]*){0,8})`;
const NAME = String.raw`(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)`;
/** A few words, up to what ends a phrase. */
const THING = String.raw`([\p{L}\p{N}'’-]+(?: (?!(?:and|but|because|since|when|while|so|that|who|which|with|for|at|in|on|after|before|as|too|anymore|any|again|now|these|this|lately|very|really|more|a lot|so much|every|all)\b)[\p{L}\p{N}'’-]+){0,3})`;
const ROLE = String.raw`(?:an? |the )?([\p{L}-]+(?: (?!(?:and|but|at|for|in|on|with|now|since|last|this|from|because|when|again|there|here|who)\b)[\p{L}-]+){0,2})`;
const PARTNER = 'wife|husband|girlfriend|boyfriend|partner|fianc(?:é|e|ée|ee)';
const PET = 'dog|cat|rabbit|hamster|parrot|bird|horse|turtle|ferret|puppy|kitten|fish|snake|lizard';
const OCCUPATION =
  'nurse|teacher|student|doctor|lawyer|engineer|developer|programmer|designer|writer|artist|chef|cook|baker|barista|carpenter|electrician|plumber|pilot|driver|farmer|gardener|journalist|photographer|musician|dentist|vet|pharmacist|accountant|manager|librarian|translator|architect|scientist|researcher|professor|paramedic|firefighter|soldier|waiter|waitress|cashier|hairdresser|mechanic|therapist|psychologist|consultant|freelancer';
const MEAT =
  'steak|chicken|beef|pork|burger|bacon|ham|turkey|lamb|ribs|sausages?|salami|schnitzel|kebab|meatballs?|wings';
const NOW = String.raw`(?:now |currently |still |just |finally |recently |actually |officially )*`;
const I_AM = String.raw`\bi(?:['’]m| am|['’]ve been| have been)`;

const rule = (source: string, read: Rule['read']): Rule => ({ pattern: new RegExp(source, 'giu'), read });
/** A rule whose names and places must be written as such. */
const ruleWithNames = (source: string, read: Rule['read']): Rule => ({
  pattern: new RegExp(
    source.replaceAll(/\\b(\w)/g, (_, letter: string) => `\\b[${letter}${letter.toUpperCase()}]`),
    'gu',
  ),
  read,
});

const RULES: readonly Rule[] = [
  // Who
  ruleWithNames(
    String.raw`\b(?:my name is|my name['’]s|My name is|My name['’]s|call me|Call me|I go by|changed my name to) ${NAME}`,
    ([, name]) => ({
      attribute: 'name',
      value: name!,
    }),
  ),
  rule(
    String.raw`${I_AM} ${NOW}(\d{1,3}) years old\b|\bi ${NOW}(?:turned|turn) (\d{1,3})\b`,
    ([, age, turned]) => ({
      attribute: 'age',
      value: age ?? turned!,
    }),
  ),
  rule(
    String.raw`\bmy birthday(?: is|['’]s) (?:on )?(?:the )?(\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)`,
    ([, day]) => ({ attribute: 'birthday', value: day!.toLowerCase() }),
  ),
  // Where
  ruleWithNames(
    String.raw`\b(?:I|we|We)(?:['’]m|['’]re|['’]ve| am| are| have)? ${NOW}(?:been )?(?:live|living|based|reside|settled) ${NOW}in ${PLACE}`,
    ([, place]) => ({
      attribute: 'home',
      value: place!,
    }),
  ),
  ruleWithNames(
    String.raw`\b(?:I|we|We)(?:['’]ve| have)? ${NOW}(?:moved|relocated)(?: back| over| out)? (?:from [\p{L} ]{1,40}? )?to ${PLACE}`,
    ([, place]) => ({ attribute: 'home', value: place! }),
  ),
  ruleWithNames(String.raw`\bI ${NOW}(?:left|swapped) ${PLACE} for ${PLACE}`, ([, , place]) => ({
    attribute: 'home',
    value: place!,
  })),
  ruleWithNames(
    String.raw`\b(?:I['’]m|I am|I come|I was born|I grew up)(?: originally)? (?:from|in) ${PLACE}`,
    ([, place]) => ({
      attribute: 'origin',
      value: place!,
    }),
  ),
  // Work
  rule(String.raw`${I_AM} ${NOW}(?:working|employed) as ${ROLE}`, ([, role]) => ({
    attribute: 'job',
    value: role!,
  })),
  rule(
    String.raw`\bi ${NOW}(?:work|started(?: working| a job| a new job)?|got (?:a job|hired|promoted|a position)|got a new job|(?:have )?became|(?:have )?become|retrained) (?:as |to be )?${ROLE}`,
    ([text, role]) =>
      /\b(?:as|to be|became|become) /iu.test(text) || /^i \w*\s*work as/iu.test(text)
        ? { attribute: 'job', value: role! }
        : null,
  ),
  rule(String.raw`\bi (?:was|got|have been) ${NOW}promoted to ${ROLE}`, ([, role]) => ({
    attribute: 'job',
    value: role!,
  })),
  rule(String.raw`${I_AM} ${NOW}an? (?:[\p{L}-]+ )?(${OCCUPATION})\b`, ([, role]) => ({
    attribute: 'job',
    value: role!,
  })),
  ruleWithNames(
    String.raw`\bI(?:['’]m|['’]ve| am| have)? ${NOW}(?:work|working|started(?: working)?|been working|joined|moved over)(?: at| for| to)? (?:a company called )?${PLACE}`,
    ([text, company]) =>
      /\b(?:at|for|joined)\b/u.test(text) ? { attribute: 'employer', value: company! } : null,
  ),
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:quit|left|lost) (?:my|the) (?:\p{L}+ )?job\b|\bi (?:was|got) ${NOW}(?:fired|laid off|made redundant)\b|${I_AM} ${NOW}unemployed\b|\bi ${NOW}(?:quit|resigned) (?:yesterday|today|last|this)\b`,
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
    String.raw`${I_AM} ${NOW}studying ${THING}|\bi ${NOW}(?:study|switched (?:my major )?to|changed my major to|started studying) ${THING}`,
    ([, one, two]) => ({
      attribute: 'studies',
      value: one ?? two!,
    }),
  ),
  rule(
    String.raw`\bi ${NOW}(?:dropped out|graduated|finished (?:my degree|uni|university|college|school))\b`,
    () => ({
      attribute: 'studies',
      value: null,
    }),
  ),
  // With whom
  rule(
    String.raw`${I_AM} ${NOW}(single|married|divorced|engaged|widowed)\b|\b(?:i|we) (?:just |finally )?got (married|engaged|divorced)\b`,
    ([, one, two]) => ({
      attribute: 'relationship',
      value: (one ?? two)!,
    }),
  ),
  ruleWithNames(
    String.raw`\b(?:I['’]m|I am|I ${NOW}(?:started|began)) ${NOW}(?:dating|seeing) ${NAME}`,
    ([, name]) => [
      { attribute: 'relationship', value: 'in a relationship' },
      { attribute: 'partner', value: name! },
    ],
  ),
  rule(
    String.raw`\bi ${NOW}(?:broke up with|split up with|left my (?:${PARTNER})|got dumped)|\bwe ${NOW}(?:broke|split) up\b|\bmy (?:${PARTNER}) (?:left|dumped) me\b`,
    () => [
      { attribute: 'relationship', value: 'single' },
      { attribute: 'partner', value: null },
    ],
  ),
  ruleWithNames(
    String.raw`\b[Mm]y (?:${PARTNER})(?:['’]s name is| is called| is named|,| is) ${NAME}`,
    ([, name]) => ({
      attribute: 'partner',
      value: name!,
    }),
  ),
  // Animals
  ruleWithNames(
    String.raw`\b(?:[Mm]y|[Oo]ur) (?:\p{L}+ )?(${PET})(?:['’]s name is| is called| is named) ${NAME}|\b(?:I|We|we) (?:have|got|adopted|own)(?: an?| another)? (?:\p{L}+ )?(${PET})(?:,)? (?:called|named) ${NAME}`,
    ([, pet, name, other, called]) => ({
      attribute: `pet:${kindOfPet((pet ?? other)!)}`,
      value: (name ?? called)!,
    }),
  ),
  rule(
    String.raw`\b(?:my|our) (${PET})(?: \p{L}+)?,? (?:has |just |sadly )*(?:died|passed away|ran away)\b|\bi (?:gave away|lost|rehomed) my (${PET})\b`,
    ([, one, two]) => ({
      attribute: `pet:${kindOfPet((one ?? two)!)}`,
      value: null,
    }),
  ),
  // What they eat
  rule(
    String.raw`\bi(?:['’]m| am|['’]ve become| have become| became| turned| went|['’]ve gone| have gone) (?:now |a |an |strictly |fully |completely )*(vegan|vegetarian|pescatarian)\b`,
    ([, diet]) => ({ attribute: 'diet', value: diet!.toLowerCase() }),
  ),
  rule(
    String.raw`\bi(?:['’]m| am) (?:no longer|not) (?:an? )?(?:vegan|vegetarian|pescatarian)\b|\bi (?:stopped being|gave up being|quit being) (?:an? )?(?:vegan|vegetarian|pescatarian)\b|\bi(?:['’]m eating| eat|['’]ve started eating| started eating) meat\b`,
    () => ({ attribute: 'diet', value: 'eats meat' }),
  ),
  rule(
    String.raw`\bi ${NOW}(?:had|ate|ordered|grilled|devoured|made myself) (?:an?|some|the|my)? ?(?:\p{L}+ )?(?:${MEAT})\b`,
    () => ({
      attribute: 'diet',
      value: 'eats meat',
      isSure: false,
    }),
  ),
  rule(String.raw`${I_AM} (?:no longer|not) allergic to ${THING}`, ([, thing]) => ({
    attribute: `allergy:${keyOf(thing!)}`,
    value: null,
  })),
  rule(String.raw`${I_AM} ${NOW}(?:very |badly |deathly )?allergic to ${THING}`, ([, thing]) => ({
    attribute: `allergy:${keyOf(thing!)}`,
    value: 'allergic',
  })),
  // What they do
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:quit|stopped|gave up|given up) (smoking|drinking|running|climbing|swimming|gaming|vaping|cycling|dancing|painting|[\p{L}]+ing)\b`,
    ([, habit]) => ({
      attribute: `habit:${keyOf(habit!)}`,
      value: null,
    }),
  ),
  rule(
    String.raw`\bi(?:['’]ve| have)? ${NOW}(?:started|took up|taken up|began) (smoking|drinking|running|climbing|swimming|gaming|vaping|cycling|dancing|painting|knitting|pottery|yoga|boxing)\b(?: again)?`,
    ([, habit]) => ({
      attribute: `habit:${keyOf(habit!)}`,
      value: 'does',
    }),
  ),
  // What they like
  rule(
    String.raw`\bmy (?:new |current )?favou?rite ([\p{L}]+(?: [\p{L}]+)?) is ${NOW}(?:the )?${THING}`,
    ([, sort, thing]) => ({
      attribute: `favourite:${keyOf(sort!)}`,
      value: thing!,
    }),
  ),
  rule(
    String.raw`\bi(?: really| just)? (?:don['’]t|do not|no longer|stopped|can['’]t stand|cannot stand|hate|dislike|detest)(?: really)? ?(?:like|liking|love|loving|enjoy|enjoying)? ?(?:the )?${THING}`,
    ([text, thing]) =>
      /\b(?:like|liking|love|loving|enjoy|enjoying|stand|hate|dislike|detest) /iu.test(text)
        ? { attribute: `likes:${keyOf(thing!)}`, value: 'dislikes' }
        : null,
  ),
  rule(
    String.raw`\bi(?: really| absolutely| just| still| do| totally)* (?:love|like|enjoy|adore)(?: eating| drinking| playing| watching)? (?:the )?${THING}|${I_AM} (?:really |so |totally )?into ${THING}`,
    ([, one, two]) => ({
      attribute: `likes:${keyOf((one ?? two)!)}`,
      value: 'likes',
    }),
  ),
];

/** What is wished, supposed, planned, asked or told of others holds of nobody. */
const UNREAL =
  /\b(?:if i|would|wish|might|(?:i|we|you) may|could|should|maybe|perhaps|thinking (?:of|about)|considering|hope to|hoping to|want to|wanna|going to|gonna|planning|plan to|dream(?:ed|t)? (?:of|about|that)|imagine|pretend|almost|nearly|used to|never|as a (?:kid|child)|when i was|in my dream|(?:she|he|they) (?:said|says|thinks?|told))\b/iu;
const CLAUSE_ENDS =
  /(?<=[.!?…;]) |\n|,? (?:but|and then|and so) (?=i\b|we\b|my\b)|,? and (?=i(?:['’]m|['’]ve)?\b|we\b|my\b)|, (?=i(?:['’]m|['’]ve)?\b|we\b|so i\b)/iu;

/** A kept line has 1,200 characters at most, and ordinary ones a dozen clauses; each is held against every rule. */
const MOST_CLAUSES = 150;

/**
 * What a line says of its speaker that holds until it changes. By rules, for English: what is said outright, in the
 * first person, in words the rules know. What is implied, told of others or said with irony is left to a model.
 */
export function extractFacts(text: string): Statement[] {
  const found = new Map<string, Statement>();
  const said = textForRules(text);
  const introduced = /[?？]$/u.test(said) ? null : readIntroduction(said);
  if (introduced !== null) found.set('name', { attribute: 'name', value: introduced, isSure: true });
  for (const clause of said.split(CLAUSE_ENDS, MOST_CLAUSES)) {
    if (/[?？]$/u.test(clause) || UNREAL.test(clause) || /["“”]/u.test(clause)) continue;
    for (const { pattern, read } of RULES) {
      for (const match of clause.matchAll(pattern)) {
        for (const one of [read(match)].flat()) {
          if (!one) continue;
          const { attribute, value, isSure = true } = one;
          const before = found.get(attribute);
          // What is said outright stands over what follows from it; of two, the later.
          if (before?.isSure && !isSure) continue;
          found.set(attribute, { attribute, value: value === null ? null : tidy(value), isSure });
        }
      }
    }
  }
  return [...found.values()];
}

/** One of the words that say when, and nothing of what. */
const TRAILING =
  /[ ,](?:now|currently|again|anymore|too|lately|today|yesterday|recently|officially|full[- ]time|part[- ]time|last (?:week|month|year|summer|spring|winter|fall|autumn|\w{1,6}day)|this (?:week|month|year|morning)|next \w{1,12}|\w{1,12} (?:days|weeks|months|years) ago|so much|a lot|very much|these days|though|actually|instead)$/iu;
/** A value is a few words; each of more than these would be taken off its end one by one. */
const MOST_VALUE = 120;

function tidy(value: string): string {
  let tidied = value.trim().slice(0, MOST_VALUE);
  for (let at = tidied.search(TRAILING); at !== -1; at = tidied.search(TRAILING))
    tidied = tidied.slice(0, at);
  return trimEndOf(tidied, ".,!;:'’").trim();
}

/** The name of a thing in an attribute: folded, without what comes and goes. */
function keyOf(thing: string): string {
  return tidy(thing)
    .toLowerCase()
    .replace(/^(?:the|a|an|my|some|any|eating|drinking|playing|watching|to) /u, '');
}

function kindOfPet(pet: string): string {
  const kinds: Record<string, string> = { puppy: 'dog', kitten: 'cat' };
  return kinds[pet.toLowerCase()] ?? pet.toLowerCase();
}
