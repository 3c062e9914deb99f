import { LANGUAGES } from './manners.js';

/** Forms of words by which people say how they want to be answered, in one language. They stand at a sentence's start. */
interface WishForms {
  /** Courtesies before the order itself, which say nothing of it. */
  courtesy: RegExp;
  orders: readonly RegExp[];
}

/** Verbs for what a companion is asked to do, in English. */
export const EN_VERB =
  '(?:add|address|answer|apologi[sz]e|ask|avoid|be|bring up|call|cite|combine|comment|confirm|correct|describe|explain|format|give(?! (?:up|in|away)\\b)|highlight|include|joke|keep|list|mention|name|offer|prioriti[sz]e|provide|quote|recommend|refer|remind|reply|report|respond|say|send|show|sign|speak|specify|start|suggest|summari[sz]e|swear|talk|tease|tell|translate|treat|use|verify|warn|write)';
const EN_I = String.raw`I(?: am|['’]m)? (?:ask|asking|want|need|talk|talking|say|tell|mention|write|writing|send|feel|feeling|sad|angry|upset|tired|stressed)`;
const EN_WHEN = '(?:when|whenever|if|each time|every time)';
const EN_NOT = "(?:don['’]t|do not|never|stop|quit|avoid|no longer)";
/** Words after a "don't" that is for the moment, or a turn of phrase: "don't mention it", "don't ask me why". */
const EN_FLEETING = String.raw`(?:(?:about )?(?:it|that|this|them|him|her)|so|no|yes|anything|something|nothing|around|why|how|what|where|who|which|when|whether|if|to|of|out|up|until|after|before|crazy|now|later|back|again|please|too|me|lol|yourself|a damn|today|tonight|tomorrow)\b`;
const EN_TOLD = String.raw`(?!${EN_FLEETING})\S+`;
/** Things that a companion gives beside its answers, as against "stop giving up" and "stop adding salt". */
const EN_GIVEN =
  '(?:advice|tips?|opinions?|suggestions?|recommendations?|summar(?:y|ies)|lists?|tables?|links?|sources?|references|citations|quotes?|explanations?|examples?|details?|definitions|translations?|disclaimers?|warnings?|notes|reminders?|emojis?|hashtags|pictures?|photos?|images?|gifs?|memes?|names?|dates?|numbers|titles|jokes?|compliments?|greetings|apologies|follow-up questions|my (?:flaws|faults|mistakes))';
const EN_USED =
  '(?:(?:any|so many|too many) )?(?:emojis?|emoticons?|bullet points|lists|headings|slang|(?:metric|imperial) units|my (?:(?:full|real) )?name|nicknames|the word)';
const EN_REPLIES = '(?:answers?|repl(?:y|ies)|responses?|messages?)';
/** Each message of a companion's; "your reply" may be one alone. */
const EN_EACH =
  '(?:(?:(?:each|every)(?: single)?(?: \\p{L}+)?|each of your|every one of your) (?:answers?|repl(?:y|ies)|responses?|messages?)|(?:all )?(?:of )?(?:your|all|the)(?: \\p{L}+)? (?:answers|replies|responses|messages)) (?:with|by|in|as)(?!\\p{L})';
/** The beginning or the end of what a companion writes, where "always" says that it is meant of each. */
const EN_FRAMED =
  '(?:begin|end|finish|close|open|conclude) (?:each|every|all|any|your|the|an?)(?: \\p{L}+){0,3} (?:answers?|repl(?:y|ies)|responses?|messages?|texts?|sentences?|paragraphs?|conversations?|chats?|lists?|stor(?:y|ies)|letters?|e-?mails?)(?!\\p{L})';
const EN_FRAME = `(?:start|begin|end|finish|conclude|sign(?: off)?) ${EN_EACH}`;
/** Doings that a companion is asked to stop, with its object: "talking" alone is what people stop, too. */
const EN_DOING = [
  `(?:(?:answering(?: me)?|(?:asking|calling|telling) me|bringing up|confirming|correcting|explaining|formatting|highlighting|joking|mentioning|quoting|reminding me(?: of)?|repeating|suggesting|summari[sz]ing|swearing|talking(?: to me)? about|teasing(?: me)?) ${EN_TOLD}`,
  String.raw`(?:adding|giving|including|listing|offering|providing|sending) (?:me (?:(?:so|too) (?:much|many) )?${EN_TOLD}|(?!${EN_FLEETING})(?:\S{1,30} ){0,3}${EN_GIVEN}(?!\p{L}))`,
  `(?:replying|responding|speaking|talking|writing)(?: (?:to|with) me)? (?:in )?(?:${LANGUAGES})(?! (?:to|with) (?!me))`,
  String.raw`saying (?:my name|the word)|using ${EN_USED}|signing off (?:with|as) \S+`,
  `(?:starting|beginning|ending|finishing|concluding|signing(?: off)?) ${EN_EACH}`,
  `keeping (?:your|the|all) ${EN_REPLIES}|(?:writing|sending|giving me) (?:such )?(?:long|short|brief|detailed) ${EN_REPLIES}`,
  '(?:being|addressing me) (?:(?:so|too) )?(?:(?:in)?formal(?:ly)?|brief|concise))',
].join('|');
const EN_ORDER = `(?:(?:please |just |only |always |${EN_NOT} ){0,3}(?:${EN_VERB}|${EN_FRAMED})|(?:please )?(?:stop|quit|avoid) ${EN_DOING})`;

const DE_VERB = String.raw`(?:antworte|schreib|sprich|rede|sag|nenn|benutz|verwend|erwähn|gib|zeig|frag|erinner|erklär|mach|halt|fass|duz|siez)\p{L}{0,2}`;
const DE_OPEN = '(?:ab jetzt|ab sofort|von nun an|von jetzt an|in zukunft|künftig)';
const ES_VERB = String.raw`(?:resp[oó]nde|respondas|cont[eé]sta|contestes|h[aá]bla|hables|escr[ií]be|escribas|usa|uses|utiliza|utilices|menciona|menciones|ll[aá]ma|llames|digas|di|incluye|expl[ií]ca|da|mu[eé]stra|preg[uú]nta|preguntes|recu[eé]rda)\p{L}{0,3}`;
const ES_OPEN = '(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante)';
const FR_VERB =
  '(?:réponds|répondez|parle|parlez|écris|écrivez|utilise|utilisez|mentionne|mentionnez|appelle|appelez|dis|dites|donne|donnez|montre|montrez|explique|expliquez|demande|demandez|rappelle|rappelez|inclus|évite|évitez)';
const FR_OPEN = String.raw`(?:à partir de maintenant|désormais|dorénavant|à l['’]avenir)`;
const PT_VERB =
  '(?:responda|responde|fale|fala|escreva|escreve|use|usa|utilize|mencione|menciones|chame|chama|diga|dê|mostre|explique|pergunte|inclua|evite|lembre)';
const PT_OPEN = '(?:a partir de agora|de agora em diante|daqui em diante|doravante)';

const forms = (courtesy: string, orders: readonly string[]): WishForms => ({
  courtesy: new RegExp(String.raw`^(?:${courtesy})[,:]? `, 'iu'),
  orders: orders.map((order) => new RegExp(`^(?:${order})(?![\\p{L}])`, 'iu')),
});

/** Forms by language. A sentence is a wish if it begins like one of the orders, and is no saying. */
export const WISH_FORMS: readonly WishForms[] = [
  forms(
    String.raw`please|hey|hi|ok|okay|also|and|so|oh|actually|alright|btw|by the way|one more thing|one thing|remember|can you|could you|would you|will you|you should|you must|i want you to|i(?:['’]d| would) like you to|i need you to`,
    [
      String.raw`(?:always|never|(?:don['’]t|do not) ever) (?:${EN_VERB}|${EN_FRAMED})`,
      String.raw`(?:(?:don['’]t|do not) )?${EN_FRAME}`,
      String.raw`(?:from now on|going forward|in (?:the )?future),? ${EN_ORDER}`,
      String.raw`${EN_WHEN} ${EN_I}[^,]{0,80}, ${EN_ORDER}`,
      String.raw`(?:please )?${EN_VERB} [^,]{3,100} (?:${EN_WHEN} ${EN_I}|from now on$)`,
      String.raw`(?!.{0,240} (?:today|tonight|now|like that)$)(?:(?:don['’]t|do not|not|you (?:should|must)n['’]t) (?:ever )?(?:mention|bring up|talk(?: to me)? about|joke|tease(?: me)?|(?:ask|call|send) me|remind me(?: of)?) ${EN_TOLD}|(?:don['’]t|do not) (?:ever )?(?:swear ${EN_TOLD}|say (?:my name|the word)|use ${EN_USED})|(?:stop|quit) ${EN_DOING})`,
      String.raw`(?:not )?(?:never|no) (?:more )?(?:emojis?|emoticons|spoilers?|small talk|jokes|bullet points|lists|headings)`,
      String.raw`keep (?:your|the|all) (?:answers|replies|responses|messages|sentences)`,
      String.raw`(?:speak|talk|write|answer|reply|respond) (?:only )?(?:to me )?(?:only )?in (?:simple |plain )?\p{Lu}\p{L}+`,
    ],
  ),
  forms('bitte|hey|ok|und|kannst du|könntest du|du sollst', [
    String.raw`${DE_OPEN},? (?:bitte )?${DE_VERB}`,
    String.raw`${DE_VERB} [^,]{0,100}(?:immer|stets|nie|niemals|nie wieder|nicht mehr)`,
    String.raw`(?:immer|nie|niemals|keine?) [^,]{2,80}(?:antworten|erwähnen|schreiben|verwenden|benutzen|nennen|sagen|emojis)`,
    String.raw`(?:antworte|schreib|sprich|rede) (?:bitte )?(?:mir |mit mir )?(?:bitte )?auf \p{Lu}\p{L}+`,
  ]),
  forms('por favor|oye|y|quiero que|puedes|podrías', [
    String.raw`(?:${ES_OPEN},? )?(?:siempre|nunca|jamás) (?:me )?${ES_VERB}`,
    String.raw`${ES_OPEN},? (?:por favor,? )?(?:no )?(?:me )?${ES_VERB}`,
    String.raw`${ES_VERB} [^,]{0,100}(?:siempre|nunca más)`,
    String.raw`no (?:me )?${ES_VERB} [^,]{0,80}(?:más|nunca)`,
  ]),
  forms(String.raw`s['’]il (?:te|vous) plaît|stp|et|je veux que tu|peux-tu|pourrais-tu`, [
    String.raw`${FR_OPEN},? (?:ne |n['’])?(?:me |m['’])?${FR_VERB}`,
    String.raw`(?:ne |n['’])?(?:me |m['’])?${FR_VERB}[^,]{0,100} (?:toujours|jamais)`,
    String.raw`(?:ne |n['’])(?:me |m['’])?${FR_VERB}[^,]{0,100} plus`,
  ]),
  forms('por favor|e|quero que|podes|você pode|pode', [
    String.raw`(?:${PT_OPEN},? )?(?:sempre|nunca|jamais) (?:me )?${PT_VERB}`,
    String.raw`${PT_OPEN},? (?:por favor,? )?(?:não )?(?:me )?${PT_VERB}`,
    String.raw`${PT_VERB} [^,]{0,100}(?:sempre|nunca mais)`,
    String.raw`não (?:me )?${PT_VERB} [^,]{0,80}(?:mais|nunca)`,
  ]),
];

/** An order that is for one text where another sentence is about it: "write to Tom. Sign off with love". */
export const LONE_ORDER =
  /^sign off (?:with|as) (?!.{0,60}(?<!\p{L})(?:letter|e-?mail|card|note|post|essay|text|here|there|now|today)(?!\p{L})).{2,60}$/iu;

/** Words of a saying that say what anybody should do, behind "always" or "never". Closed: what is not here is a wish. */
const EN_SAID = [
  String.raw`say (?:never|thank you)$|explain, never complain|answer the door`,
  String.raw`(?!mention|bring|talk about|speak of).{1,60} your (?:phone|promises|word$|eyes|chin|guard|boss|elders)`,
  String.raw`.{1,60} (?:to strangers|of the dead|before you (?:visit|sign)$)`,
  // "Always be honest, my dad used to say".
  String.raw`.{1,160}, (?!(?:(?:as|like) )?(?:I|you) )(?:\p{L}[\p{L}'’]* ){1,4}used to say$`,
].join('|');

/** Sayings that begin like an order. What speaks of its speaker is none. */
export const SAYING = new RegExp(
  [
    String.raw`^(?:(?:and|so|oh|remember|you should|you must),? ){0,2}(?:always|never|(?:don['’]t|do not) ever) (?!.{0,200}(?<!\p{L})(?:me|I|(?<!(?:,|as|like) )my)(?!\p{L}))(?:${EN_SAID})(?!\p{L})`,
    '|^(?:gib (?:nie|niemals) auf|sag (?:nie|niemals) nie|halt immer die augen offen|sprich (?:nie|niemals) schlecht',
    String.raw`|nunca digas? nunca|ne dis jamais jamais)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** An order to stop something, with what: it takes a wish back where one asked for it, and is a wish where none did. */
export const STOPS =
  /^[ ,]*(?:(?:from now on|going forward|in (?:the )?future),? )?(?:please )?(?:stop|quit) (.{3,})/iu;

/** Verb of an order to speak of something, in English, after its opening. */
export const SPEAKS_OF =
  /\b(?:mention(?:ing)?|bring(?:ing)? up|(?:talk|speak)(?:ing)?(?: (?:to|with) me)? (?:about|of)) /iu;

/** Signs of a wish that something be left out. */
export const LEAVES_OUT =
  /(?<!\p{L})(?:without|no|not|never|stop|quit|avoid|\p{L}{2,6}n['’]t|nie|niemals|nicht|keine?|ohne|nunca|jamás|sin|ne|jamais|sans|não|sem)(?!\p{L})/iu;
