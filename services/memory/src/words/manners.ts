import { wordSet } from '@kith/reading';

/** Languages, each by its names in those that wishes are read in. */
const NAMES_OF_LANGUAGES = [
  'english|englisch|inglés|anglais|inglês',
  'german|deutsch|alemán|allemand|alemão',
  'spanish|spanisch|español|espagnol|espanhol',
  'french|französisch|francés|français|francês',
  'portuguese|portugiesisch|portugués|portugais|português',
  'italian',
  'dutch',
  'polish',
  'turkish',
  'russian',
  'japanese',
  'chinese',
  'korean',
];
/** Names of languages, for an expression. */
export const LANGUAGES = NAMES_OF_LANGUAGES.join('|');
const ANSWERS =
  'answers?|repl(?:y|ies)|responses?|messages?|sentences?|antworten?|sätze|nachrichten|respuestas?|frases|réponses?|phrases|respostas?';
const SHORT =
  'short(?:er)?|brief(?:ly|er)?|concise(?:ly)?|kurz(?:e|en)?|knapp(?:e|en)?|cort[oa]s?|breves?|court(?:e|es|s)?|curt[oa]s?';
const LONG = 'long(?:er)?|detailed|ausführlich(?:e|en)?|larg[oa]s?|longues?';
const LENGTHS = `${SHORT}|${LONG}`;

/** Language that code is asked for in, in one of the groups. */
const CODE = /(?<!\p{L})code\b.{0,30} in (\p{L}+)|(?<!\p{L})(?:in|use) (\p{L}+) for (?:all |any )?code\b/iu;

/** Manners of answering that exclude each other: of each, one holds at a time. */
const MANNERS: readonly (readonly [manner: string, pattern: RegExp])[] = [
  ['code in', CODE],
  ['language', new RegExp(String.raw`(?<!\p{L})(?:${LANGUAGES})(?!\p{L})`, 'iu')],
  ['emojis', /(?<!\p{L})(?:emojis?|emoticons?|smileys?)(?!\p{L})/iu],
  [
    'length',
    new RegExp(
      String.raw`(?<!\p{L})(?:${LENGTHS})(?!\p{L}).{0,20}(?<!\p{L})(?:${ANSWERS})(?!\p{L})|(?<!\p{L})(?:${ANSWERS})(?!\p{L}).{0,20}(?<!\p{L})(?:${LENGTHS})(?!\p{L})|^(?:(?:always|never|please|stop|quit|from now on|in future),? ){0,2}(?:be|being|keep it|(?:answer|reply|write)(?:ing)?)(?: (?:so|too|very|more))? (?:${LENGTHS})$`,
      'iu',
    ),
  ],
  [
    'formality',
    /(?<!\p{L})(?:in)?formal(?:ly)?(?!\p{L})|(?<!\p{L})(?:duze|sieze|tutoie|vouvoie|tutea)(?!\p{L})/iu,
  ],
  ['units', /(?<!\p{L})(?:metric|imperial|celsius|fahrenheit)(?!\p{L})/iu],
];

/** Names the manner of answering that an order is about; null for another order. */
export function mannerOf(order: string): string | null {
  return MANNERS.find(([, pattern]) => pattern.test(order))?.[0] ?? null;
}

/** Ways of each manner of which there are several, as the words that name them. */
const WAYS: Readonly<Record<string, readonly RegExp[]>> = {
  language: waysOf(NAMES_OF_LANGUAGES),
  length: waysOf([SHORT, LONG]),
  formality: waysOf(['informal(?:ly)?|duze|tutoie|tutea', 'formal(?:ly)?|sieze|vouvoie']),
  units: waysOf(['metric|celsius', 'imperial|fahrenheit']),
};

function waysOf(words: readonly string[]): RegExp[] {
  return words.map((names) => new RegExp(String.raw`(?<!\p{L})(?:${names})(?!\p{L})`, 'iu'));
}

/** Manner of an order, and the way that it names of it: the same where the manner has one alone. */
export interface NamedWay {
  manner: string;
  way: string;
}

/** Words that name a way of answering, or the answers. */
const NAMED = new RegExp(
  String.raw`(?<!\p{L})(?:${LANGUAGES}|${ANSWERS}|${LENGTHS}|emojis?|emoticons?|smileys?|(?:in)?formal(?:ly)?|duze|sieze|tutoie|vouvoie|tutea|metric|imperial|celsius|fahrenheit)(?!\p{L})`,
  'giu',
);
/** Words of an order to answer in some way, beside that way: with any other, "stop correcting my German", it is none. */
const PLAIN_WORDS =
  wordSet(`always never ever don t do not no without stop stopping quit avoid please just only also from now on going forward in
  the future again more any anymore longer so too very a lot of many such all every your to with me for it plain simple
  answer answering reply replying respond responding speak speaking talk talking write writing say use using add adding
  include including be being keep keeping make give giving send sending show address addressing code units system mode
  immer stets nie niemals wieder nicht mehr bitte ab jetzt sofort von nun an zukunft nur kein keine ohne antworte antworten
  schreib schreibe schreiben sprich sprechen rede reden benutze benutzen verwende verwenden mir mit mich auf
  siempre nunca jamás no por favor a partir de ahora adelante responde respóndeme contesta contéstame habla háblame hables
  escribe escríbeme escribas usa uses en con conmigo me sin
  ne toujours jamais plus désormais dorénavant à maintenant l avenir réponds parle parlez écris utilise moi s il te vous
  plaît sans sempre não agora diante responda fale fala escreva comigo em sem`);

/** Tells whether an order names a way of answering and nothing that it would be about. */
function isOfWayAlone(order: string): boolean {
  const rest = order.replace(CODE, ' ').replaceAll(NAMED, ' ');
  return (rest.match(/\p{L}+/gu) ?? []).every((word) => PLAIN_WORDS.has(word.toLowerCase()));
}

/** Finds the way of answering that an order is about: "German" of languages. Null for none, and for several. */
export function wayOf(words: string): NamedWay | null {
  const manner = isOfWayAlone(words) ? mannerOf(words) : null;
  if (manner === null) return null;
  if (manner === 'emojis') return { manner, way: '' };
  const code = manner === 'code in' ? CODE.exec(words)?.slice(1) : undefined;
  if (code) return { manner, way: code.join('').toLowerCase() };
  const [way, ...others] = (WAYS[manner] ?? []).filter((named) => named.test(words));
  return way === undefined || others.length > 0 ? null : { manner, way: way.source };
}

/** Orders whose verb, behind its opening, has for an object what is spoken of. */
const ABOUT_SUBJECT = new RegExp(
  [
    String.raw`^[ ,]*(?:(?:always|never|ever|don['’]t|do not|not|stop|quit|avoid|from now on|going forward|in (?:the )?future|please|just|only`,
    '|immer|nie|niemals|bitte|ab jetzt|ab sofort|von nun an|von jetzt an|in zukunft|künftig',
    '|siempre|nunca|jamás|no|por favor|a partir de ahora|de ahora en adelante|desde ahora|en adelante',
    String.raw`|ne|toujours|désormais|dorénavant|à partir de maintenant|à l['’]avenir`,
    '|sempre|não|a partir de agora|de agora em diante|daqui em diante|doravante|me),? ){0,4}',
    String.raw`(?:mention(?:ing)?|bring(?:ing)? up|(?:talk|speak)(?:ing)?(?: (?:to|with) me)? (?:about|of)|ask(?:ing)?(?: me)? about|jok(?:e|ing) about|teas(?:e|ing)(?: me)? about|remind(?:ing)? me (?:of|about)`,
    String.raw`|erwähn\p{L}*|(?:(?:sprich|rede)(?: mit mir| nie| wieder| niemals| immer| bitte| nicht mehr){0,3} (?:über|von)|frag\p{L}*(?: mich| nie| wieder| niemals| immer| bitte| nicht mehr){0,3} (?:nach|über)|erinner\p{L}*(?: mich| nie| wieder| niemals| immer| bitte| nicht mehr){0,3} an)`,
    String.raw`|mencion\p{L}*|habl\p{L}*(?: conmigo)? (?:del?|sobre)|(?:pregunt|pergunt)\p{L}* (?:por|sobre)|recu[eé]rd\p{L}*`,
    String.raw`|mentionn\p{L}*|parle\p{L}*(?:[- ]moi| jamais| plus| toujours){0,3} (?:de|du|des|sur|d(?=['’]))`,
    String.raw`|fal[ae]\p{L}*(?: comigo)? (?:d[eoa]s?|sobre)|lembr\p{L}* d[eoa]s?)`,
    String.raw`(?!\p{L}| (?:manera|forma|modo|façon|manière|maneira|jeito|tú|usted)(?!\p{L}))`,
  ].join(''),
  'iu',
);

/** Tells whether an order is about what is spoken of, not how: "never mention my English exam" is about no language. */
export function isAboutSubject(order: string): boolean {
  return ABOUT_SUBJECT.test(order);
}

/** Tells whether a preference is one about the manner of answers, such as "I prefer short answers". */
export function isOfAnswers(preference: string): boolean {
  const manner = mannerOf(preference);
  return manner === 'length' || manner === 'emojis' || manner === 'code in';
}

const PLAIN = new RegExp(
  [
    String.raw`^(?:from now on|ab jetzt|von nun an|a partir de ahora|à partir de maintenant|désormais|a partir de agora),? `,
    String.raw`(?:you (?:should|must|have to|need to) )?(?:please |just |then |always |bitte |siempre |toujours |sempre ){0,3}`,
    String.raw`(?:answer|reply|respond|speak|talk|write|antworte|schreib|sprich|rede|responde|habla|escribe|réponds|parle|écris|responda|fale|use)`,
    String.raw`(?: to me| me| mir| with me| mit mir| moi)?`,
    String.raw`(?: only| immer| briefly| kurz| formally| informally| (?:in|auf|en|em) (?:${LANGUAGES})| without emojis| ohne emojis| no emojis| (?:metric|imperial)(?: units)?| celsius| fahrenheit| in (?:short|brief|long|detailed) (?:sentences|answers)){1,3}`,
    String.raw`(?: please| bitte)?[.!]?$`,
  ].join(''),
  'iu',
);

/** Tells whether a text is nothing but an order about language, length and the like: it can steer nothing else. */
export function isPlainManner(text: string): boolean {
  return PLAIN.test(text);
}
