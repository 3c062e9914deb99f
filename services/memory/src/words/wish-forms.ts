import { LANGUAGES } from './manners.js';

/** Forms of words by which people say how they want to be answered, in one language. They stand at a sentence's start. */
interface WishForms {
  /** Courtesies before the order itself, which say nothing of it. */
  courtesy: RegExp;
  orders: readonly RegExp[];
  /** Forms that sayings have, too ("never give up"): they are orders where they are of how to answer. */
  sayings: readonly RegExp[];
  /** Signs of an order about how its speaker is answered. */
  ofAnswers: RegExp;
}

/** Verbs for what a companion is asked to do, in English. */
export const EN_VERB =
  '(?:add|address|answer|apologi[sz]e|ask|avoid|be|bring up|call|cite|combine|comment|confirm|correct|describe|explain|format|give(?! (?:up|in|away)\\b)|highlight|include|joke|keep|list|mention|name|offer|prioriti[sz]e|provide|quote|recommend|refer|remind|reply|report|respond|say|send|show|sign|skip|speak|specify|start|suggest|summari[sz]e|swear|talk|tease|tell|translate|treat|use|verify|warn|write)';
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
/** Doings that a companion is asked to stop, with its object: "talking" alone is what people stop, too. */
const EN_DOING = [
  `(?:(?:answering(?: me)?|(?:asking|calling|telling) me|bringing up|confirming|correcting|explaining|formatting|highlighting|joking|mentioning|quoting|reminding me(?: of)?|repeating|suggesting|summari[sz]ing|swearing|talking(?: to me)? about|teasing(?: me)?) ${EN_TOLD}`,
  String.raw`(?:adding|giving|including|listing|offering|providing|sending) (?:me (?:(?:so|too) (?:much|many) )?${EN_TOLD}|(?!${EN_FLEETING})(?:\S{1,30} ){0,3}${EN_GIVEN}(?!\p{L}))`,
  `(?:replying|responding|speaking|talking|writing)(?: (?:to|with) me)? (?:in )?(?:${LANGUAGES})`,
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

/** Things that say by themselves that an order is about how to answer. */
const EN_THINGS = [
  `(?<!\\p{L})(?:${EN_GIVEN}|${EN_USED}|${EN_REPLIES}|words|sentences|paragraphs?|fun facts?|language|spelling|pronouns|tone|accent|formats?)(?!\\p{L})`,
  String.raw`(?<!\p{L})(?:options|questions|markdown|punctuation|caps|(?:upper|lower)[ -]?case|exclamation marks|small talk|spoilers?|puns?|metaphors?|rhymes?|pros and cons|both sides|acronyms|abbreviations|jargon|latin|irony|sarcasm|politics|religion)(?!\p{L})`,
].join('|');
/** "You" as sayings have it, which speak to anybody. */
const EN_ANYBODY = String.raw`(?!.{0,200}(?<!\p{L})(?:your|before you (?!answer|reply|respond)))`;
/** Doings that only a companion is asked for, and manners of words. */
const EN_ONLY_SAID = [
  String.raw`(?:mention|bring up|cite|comment|translate|format|highlight|include|specify|describe|explain|quote|suggest|summari[sz]e|recommend|repeat|reply|respond|sign|tease|(?:talk|speak) (?:about|of)) \S|answer (?!the )|(?:apologi[sz]e|joke|swear)(?!\p{L})`,
  String.raw`be (?:(?:more|less|so|too|very) )?(?:brief|concise|(?:in)?formal|casual|direct|blunt|literal|precise|sarcastic|ironic|wordy|verbose|chatty|playful|cheeky)(?!\p{L})`,
].join('|');
const EN_OPENED = String.raw`^(?:always|never|don['’]t ever|do not ever)`;
const EN_OF_ANSWERS = String.raw`(?<!\p{L})(?:I|me|my)(?!\p{L})|${EN_OPENED} \p{L}{1,12} .{0,200}?(?:${EN_THINGS})|${EN_OPENED} ${EN_ANYBODY}(?:${EN_ONLY_SAID}|.{0,40}["“‘])`;

const forms = (
  courtesy: string,
  ofAnswers: string,
  sayings: readonly string[],
  orders: readonly string[],
): WishForms => ({
  courtesy: new RegExp(String.raw`^(?:${courtesy})[,:]? `, 'iu'),
  ofAnswers: new RegExp(ofAnswers, 'iu'),
  sayings: sayings.map(beginning),
  orders: orders.map(beginning),
});

function beginning(form: string): RegExp {
  return new RegExp(`^(?:${form})(?![\\p{L}])`, 'iu');
}

const anyOf = (words: string) => String.raw`(?<!\p{L})(?:${words})(?!\p{L})`;

/** Forms by language. A sentence is a wish if it begins like one of the orders, or like a saying and is of how to answer. */
export const WISH_FORMS: readonly WishForms[] = [
  forms(
    String.raw`please|hey|hi|ok|okay|also|and|so|oh|actually|alright|btw|by the way|one more thing|one thing|remember|can you|could you|would you|will you|you should|you must|i want you to|i(?:['’]d| would) like you to|i need you to`,
    EN_OF_ANSWERS,
    [String.raw`(?:always|never|(?:don['’]t|do not) ever) ${EN_VERB}`],
    [
      String.raw`(?:from now on|going forward|in (?:the )?future),? ${EN_ORDER}`,
      String.raw`${EN_WHEN} ${EN_I}[^,]{0,80}, ${EN_ORDER}`,
      String.raw`(?:please )?${EN_VERB} [^,]{3,100} (?:${EN_WHEN} ${EN_I}|from now on$)`,
      String.raw`(?!.{0,240} (?:today|tonight|now|like that)$)(?:(?:don['’]t|do not|not|you (?:should|must)n['’]t) (?:ever )?(?:mention|bring up|talk(?: to me)? about|joke|tease(?: me)?|(?:ask|call|send) me|remind me(?: of)?) ${EN_TOLD}|(?:don['’]t|do not) (?:ever )?(?:swear ${EN_TOLD}|say (?:my name|the word)|use ${EN_USED})|(?:stop|quit) ${EN_DOING})`,
      String.raw`(?:not )?(?:never|no) (?:more )?(?:emojis?|emoticons|spoilers?|small talk|jokes|bullet points|lists|headings)`,
      String.raw`keep (?:your|the|all) (?:answers|replies|responses|messages|sentences)`,
      String.raw`(?:speak|talk|write|answer|reply|respond) (?:only )?(?:to me )?(?:only )?in (?:simple |plain )?\p{Lu}\p{L}+`,
    ],
  ),
  forms(
    'bitte|hey|ok|und|kannst du|könntest du|du sollst',
    anyOf(
      String.raw`ich|mir|mich|mein\p{L}{0,2}|antwort\p{L}{0,5}|erwähn\p{L}{0,4}|duz\p{L}{0,2}|siez\p{L}{0,2}|(?:sprich|rede)(?! \p{L}+ schlecht)|emojis?|witze?|quellen?|wörter|wort|sätze`,
    ),
    [
      String.raw`${DE_VERB} [^,]{0,100}(?:immer|stets|nie|niemals|nie wieder|nicht mehr)`,
      String.raw`(?:immer|nie|niemals) [^,]{2,80}(?:antworten|erwähnen|schreiben|verwenden|benutzen|nennen|sagen|emojis)`,
    ],
    [
      String.raw`${DE_OPEN},? (?:bitte )?${DE_VERB}`,
      String.raw`keine? [^,]{2,80}(?:antworten|erwähnen|schreiben|verwenden|benutzen|nennen|sagen|emojis)`,
      String.raw`(?:antworte|schreib|sprich|rede) (?:bitte )?(?:mir |mit mir )?(?:bitte )?auf \p{Lu}\p{L}+`,
    ],
  ),
  forms(
    'por favor|oye|y|quiero que|puedes|podrías',
    anyOf(
      String.raw`yo|me|mi|mis|conmigo|\p{L}{2,20}me|(?:respond|contest|mencion|explic|escrib)\p{L}{1,4}|habl\p{L}{1,4}(?! mal)|emojis?|chistes?|palabras?|frases`,
    ),
    [
      String.raw`(?:siempre|nunca|jamás) (?:me )?${ES_VERB}`,
      String.raw`${ES_VERB} [^,]{0,100}(?:siempre|nunca más)`,
    ],
    [
      String.raw`${ES_OPEN},? (?:por favor,? )?(?:siempre |nunca |jamás |no )?(?:me )?${ES_VERB}`,
      String.raw`no (?:me )?${ES_VERB} [^,]{0,80}(?:más|nunca)`,
    ],
  ),
  forms(
    String.raw`s['’]il (?:te|vous) plaît|stp|et|je veux que tu|peux-tu|pourrais-tu`,
    anyOf(
      String.raw`je|moi|me|mon|ma|mes|m['’]\p{L}{1,20}|(?:répond|mentionn|expliqu|écri)\p{L}{1,4}|parl\p{L}{1,4}(?! (?:jamais )?mal)|emojis?|blagues?|mots|phrases`,
    ),
    [String.raw`(?:ne |n['’])?(?:me |m['’])?${FR_VERB}[^,]{0,100} (?:toujours|jamais)`],
    [
      String.raw`${FR_OPEN},? (?:ne |n['’])?(?:me |m['’])?${FR_VERB}`,
      String.raw`(?:ne |n['’])(?:me |m['’])?${FR_VERB}[^,]{0,100} plus`,
    ],
  ),
  forms(
    'por favor|e|quero que|podes|você pode|pode',
    anyOf(
      String.raw`eu|me|mim|meus?|minhas?|comigo|(?:respond|mencion|expli|escrev)\p{L}{1,4}|fal[ae](?! mal)|emojis?|piadas?|palavras?|frases`,
    ),
    [
      String.raw`(?:sempre|nunca|jamais) (?:me )?${PT_VERB}`,
      String.raw`${PT_VERB} [^,]{0,100}(?:sempre|nunca mais)`,
    ],
    [
      String.raw`${PT_OPEN},? (?:por favor,? )?(?:sempre |nunca |jamais |não )?(?:me )?${PT_VERB}`,
      String.raw`não (?:me )?${PT_VERB} [^,]{0,80}(?:mais|nunca)`,
    ],
  ),
];

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
