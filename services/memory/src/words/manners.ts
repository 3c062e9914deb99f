const LANGUAGES =
  'english|german|spanish|french|portuguese|italian|dutch|polish|turkish|russian|japanese|chinese|korean|deutsch|englisch|spanisch|französisch|portugiesisch|inglés|alemán|español|francés|portugués|anglais|allemand|espagnol|français|portugais|inglês|alemão|espanhol|francês|português';
const ANSWERS =
  'answers?|repl(?:y|ies)|responses?|messages?|sentences?|antworten?|sätze|nachrichten|respuestas?|frases|réponses?|phrases|respostas?';
const LENGTHS =
  'short(?:er)?|brief(?:ly|er)?|concise(?:ly)?|long(?:er)?|detailed|kurz(?:e|en)?|knapp(?:e|en)?|ausführlich(?:e|en)?|cort[oa]s?|breves?|larg[oa]s?|court(?:e|es|s)?|longues?|curt[oa]s?';

/** Verbs of speaking in the five languages, as they begin: "writing", "schreib", "hables". */
const SPEAKING = 'speak|talk|writ|schreib|sprich|rede|habl|escrib|parle|écri|fal[ae]|escrev';
/** Verbs of answering, as they begin. */
const ANSWERING = String.raw`${SPEAKING}|answer|repl(?:y|ies)|respond|us(?:e|ing)|utili[sz]|keep|be(?!\p{L})|antwort|benutz|verwend|halt|contest|répond`;
/** Verbs whose object is the subject of talk, as they begin: "mention my English exam" is about no language. */
const TELLING =
  'mention|bring|jok|teas|ask|call|remind|recommend|suggest|translat|erwähn|frag|nenn|erinner|mencion|pregunt|llam|recuerd|appel|demand|rappel|cham|pergunt|lembr';
const ABOUT = String.raw`(?:about|of|über|von|sobre|del?|do|da|d['’]\p{L}+)(?!\p{L})`;
const IN = '(?:in|auf|en|em|only|nur)';

/** Orders about what is told, however it is told: "never mention my English exam", "never talk to me about German". */
const OF_A_SUBJECT = new RegExp(
  String.raw`^(?:(?!(?<!\p{L})(?:${ANSWERING})).)*?(?<!\p{L})(?:(?:${TELLING})|(?:${SPEAKING})\p{L}*(?:[ -](?!${IN} )\p{L}+){0,2} ${ABOUT})`,
  'iu',
);

/** Makes a form of words that name a manner beside a verb of answering, after "in", or first: else they name a thing. */
const answered = (words: string) =>
  new RegExp(
    String.raw`(?:(?<!\p{L})(?:${ANSWERING}).{0,100}|(?<!\p{L})${IN} (?:\p{L}+ )?|^)(?<!\p{L})(?:${words})(?!\p{L})`,
    'iu',
  );

/** Manners of answering that exclude each other: of each, one holds at a time. */
const MANNERS: readonly (readonly [manner: string, pattern: RegExp])[] = [
  ['code in', /(?<!\p{L})code\b.{0,30} in \p{L}+|(?<!\p{L})(?:in|use) \p{L}+ for (?:all |any )?code\b/iu],
  ['language', answered(LANGUAGES)],
  ['emojis', /(?<!\p{L})(?:emojis?|emoticons?|smileys?)(?!\p{L})/iu],
  [
    'length',
    new RegExp(
      String.raw`(?<!\p{L})(?:${LENGTHS})(?!\p{L}).{0,20}(?<!\p{L})(?:${ANSWERS})(?!\p{L})|(?<!\p{L})(?:${ANSWERS})(?!\p{L}).{0,20}(?<!\p{L})(?:${LENGTHS})(?!\p{L})|^(?:be|answer|reply|write) (?:briefly|brief|concisely|concise)$`,
      'iu',
    ),
  ],
  ['formality', answered('(?:in)?formal(?:ly)?|(?:duze|sieze|tutoie|vouvoie|tutea)')],
  ['units', answered('metric|imperial|celsius|fahrenheit')],
];

/** Names the manner of answering that an order, without its condition, is about; null for another order. */
export function mannerOf(order: string): string | null {
  if (OF_A_SUBJECT.test(order)) return null;
  return MANNERS.find(([, pattern]) => pattern.test(order))?.[0] ?? null;
}

/** Tells whether a preference is one about the manner of answers, such as "I prefer short answers". */
export function isOfAnswers(preference: string): boolean {
  const manner = mannerOf(preference);
  return manner === 'length' || manner === 'emojis' || manner === 'code in';
}

const PLAIN = new RegExp(
  [
    String.raw`^(?:from now on|ab jetzt|von nun an|a partir de ahora|à partir de maintenant|désormais|a partir de agora),? `,
    String.raw`(?:please |just |then |always |bitte |siempre |toujours |sempre ){0,3}`,
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
