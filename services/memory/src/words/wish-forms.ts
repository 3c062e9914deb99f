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
/** Words that may stand between "from now on" and what is asked, for an expression. */
export const EN_ASKS =
  "you (?:should|must|have to|need to)|I(?: want|['’]d like| need) you to|(?:can|could|would|will) you";
/** Doings that a companion is asked to stop, with its object: "talking" alone is what people stop, too. */
const EN_DOING = [
  `(?:(?:answering(?: me)?|(?:asking|calling|telling) me|bringing up|confirming|correcting|explaining|formatting|highlighting|joking|mentioning|quoting|reminding me(?: of)?|repeating|suggesting|summari[sz]ing|swearing|talking(?: to me)? about|teasing(?: me)?) ${EN_TOLD}`,
  String.raw`(?:adding|giving|including|listing|offering|providing|sending) (?:me (?:(?:so|too) (?:much|many) )?${EN_TOLD}|(?!${EN_FLEETING})(?:\S{1,30} ){0,3}${EN_GIVEN}(?!\p{L}))`,
  `(?:replying|responding|speaking|talking|writing)(?: (?:to|with) me)? (?:in )?(?:${LANGUAGES})(?! (?:to|with) (?!me))`,
  String.raw`saying (?:my name|the word)|using ${EN_USED}`,
  `keeping (?:your|the|all) ${EN_REPLIES}|(?:writing|sending|giving me) (?:such )?(?:long|short|brief|detailed) ${EN_REPLIES}`,
  '(?:being|addressing me) (?:(?:so|too) )?(?:(?:in)?formal(?:ly)?|brief|concise))',
].join('|');
const EN_ORDER = `(?:(?:please |just |only |always |${EN_NOT} ){0,3}${EN_VERB}|(?:please )?(?:stop|quit|avoid) ${EN_DOING})`;

const DE_VERB = String.raw`(?:antworte|schreib|sprich|rede|sag|nenn|benutz|verwend|erwähn|gib|zeig|frag|erinner|erklär|mach|halt|fass|duz|siez)\p{L}{0,2}`;
const DE_OPEN = '(?:ab jetzt|ab sofort|von nun an|von jetzt an|in zukunft|künftig)';
const ES_VERB = String.raw`(?:responde|respondas|contesta|contestes|habla|hables|escribe|escribas|usa|uses|utiliza|utilices|menciona|menciones|llama|llames|digas|di|incluye|explica|da|muestra|pregunta|preguntes|recuerda)\p{L}{0,3}`;
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
      String.raw`(?:always|never|(?:don['’]t|do not) ever) ${EN_VERB}`,
      String.raw`(?:from now on|going forward|in (?:the )?future),? (?:(?:${EN_ASKS}) )?${EN_ORDER}`,
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

const END = String.raw`(?: any ?more| any longer| now| again)?[.!]?$`;
const EN_WELL = '(?:(?:ok|okay|alright|actually|hey|well|so|and|fine),? )?';
const EN_MAY = String.raw`(?:you (?:can|may)(?: now)?|you(?:['’]re| are) allowed to|(?:it(?:['’]s| is) )?(?:ok|okay|fine) to|feel free to)`;

/** Form that takes a wish back, with the words of the wish in a group. */
interface Withdrawal {
  form: RegExp;
  /** True where what the words name is allowed again. */
  isAllowed?: true;
}

const withdrawal = (form: string): Withdrawal => ({ form: new RegExp(`^${EN_WELL}${form}`, 'iu') });

/** Forms that take a wish back, in English. */
export const WITHDRAWALS: readonly Withdrawal[] = [
  withdrawal(String.raw`you (?:can|may) (?:now )?(?:stop|quit) (.{3,120}?)${END}`),
  withdrawal(
    String.raw`(?:you (?:don['’]t|do not) (?:have|need) to|no need to) (?:always )?(.{3,120}?)(?: any ?more| any longer| every time)[.!]?$`,
  ),
  withdrawal(
    String.raw`(?:forget|drop|scrap|cancel) (?:the|my|that) (?:rule|instruction|wish|request) (?:about|on|to|that|for) (.{3,120}?)${END}`,
  ),
  {
    ...withdrawal(
      String.raw`${EN_MAY} ((?:mention|talk about|bring up|use|joke|swear|ask(?: me)? about|call me|tease|send|give me|remind me (?:about|of)|quote|add|include|explain|list|repeat|suggest|be|keep your|address me|(?:answer|reply|respond|speak|talk|write)(?: (?:to|with) me)?(?! to\b)) .{2,120}?|joke|swear) again[.!]?$`,
    ),
    isAllowed: true,
  },
];

/** An order to stop something, with what: it takes a wish back where one asked for it, and is a wish where none did. */
export const STOPS =
  /^[ ,]*(?:(?:from now on|going forward|in (?:the )?future),? )?(?:please )?(?:stop|quit) (.{3,})/iu;

/** Verb of an order to speak of something, in English, after its opening. */
export const SPEAKS_OF =
  /\b(?:mention(?:ing)?|bring(?:ing)? up|(?:talk|speak)(?:ing)?(?: (?:to|with) me)? (?:about|of)) /iu;

/** Signs of a wish that something be left out. */
export const LEAVES_OUT =
  /(?<!\p{L})(?:without|no|not|never|stop|quit|avoid|\p{L}{2,6}n['’]t|nie|niemals|nicht|keine?|ohne|nunca|jamás|sin|ne|jamais|sans|não|sem)(?!\p{L})/iu;
