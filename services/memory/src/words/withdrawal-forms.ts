/** Words that a withdrawal is about: wishes that ask for it, what is allowed again, or a rule that is dropped either way. */
export type Withdraws = 'asked' | 'allowed' | 'rule';

/** Form that takes a wish back, with the words of the wish in a group. */
interface Withdrawal {
  form: RegExp;
  withdraws: Withdraws;
  language: 'en' | 'de' | 'es' | 'fr' | 'pt';
  /** Words of the form that may stand between those of the wish. */
  between?: RegExp;
}

/** Most characters of a withdrawn wish. */
const WISH = '(.{3,120}?)';
const EN_END = String.raw`(?: any ?more| any longer| now| again)?[.!]?$`;
const EN_MAY = String.raw`(?:you (?:can|may)(?: now)?|you(?:['’]re| are) allowed to|(?:it(?:['’]s| is) )?(?:ok|okay|fine) to|feel free to)`;

const inEnglish = (withdraws: Withdraws, form: string): Withdrawal => ({
  ...{ withdraws, language: 'en' },
  form: new RegExp(`^(?:(?:ok|okay|alright|actually|hey|well|so|and|fine),? )?${form}`, 'iu'),
});

const EN: readonly Withdrawal[] = [
  inEnglish('asked', `you (?:can|may) (?:now )?(?:stop|quit) ${WISH}${EN_END}`),
  inEnglish(
    'asked',
    String.raw`(?:you (?:don['’]t|do not) (?:have|need) to|no need to) (?:always )?${WISH}(?: any ?more| any longer| every time)[.!]?$`,
  ),
  inEnglish(
    'rule',
    String.raw`(?:forget|drop|scrap|cancel) (?:the|my|that) (?:rule|instruction|wish|request) (?:about|on|to|that|for) ${WISH}${EN_END}`,
  ),
  inEnglish(
    'allowed',
    String.raw`${EN_MAY} ((?:mention|talk about|bring up|use|joke|swear|ask(?: me)? about|call me|tease|send|give me|remind me (?:about|of)|quote|add|include|explain|list|repeat|suggest|be|keep your|address me|(?:answer|reply|respond|speak|talk|write|(?:start|begin|end|finish|sign)(?: off)?)(?: (?:to|with) me)?(?! to\b)) .{2,120}?|joke|swear) again[.!]?$`,
  ),
];

const DE_BETWEEN = /(?<!\p{L})(?:nicht|keine?n?|mehr|wieder|jetzt|ruhig|gerne?|bitte|zu)(?!\p{L})/giu;
/** Verbs for what a companion does, as they end a German withdrawal. */
const DE_VERB =
  '(?:erwähnen|ansprechen|sprechen|reden|antworten|schreiben|benutzen|verwenden|nennen|sagen|fragen|erinnern|erklären|zeigen|geben|machen|duzen|siezen|witzeln|scherzen|fluchen|beenden|beginnen)';

const inGerman = (withdraws: Withdraws, form: string): Withdrawal => ({
  ...{ withdraws, language: 'de', between: DE_BETWEEN },
  form: new RegExp(`^(?:(?:ok|okay|gut|also|hey|und|übrigens),? )?${form}[.!]?$`, 'iu'),
});

const DE: readonly Withdrawal[] = [
  inGerman(
    'asked',
    String.raw`du (?:kannst|darfst|sollst)(?: (?:jetzt|ruhig|bitte))? aufhören,? (.{0,100}${DE_VERB})`,
  ),
  inGerman('asked', String.raw`hör(?: bitte)? auf,? (.{0,100}${DE_VERB})`),
  inGerman(
    'asked',
    String.raw`du (?:musst|brauchst)(?=.{0,120} (?:nicht|keine?n?) )(?=.{0,120} mehr ) (.{0,100} ${DE_VERB})`,
  ),
  inGerman('allowed', String.raw`du (?:kannst|darfst)(?=.{0,120} wieder ) (.{0,100} ${DE_VERB})`),
  inGerman(
    'rule',
    String.raw`(?:vergiss|streich|lösch)e?(?: bitte)? (?:die|den|das|meinen?) (?:regel|anweisung|wunsch|bitte|vorgabe) (?:über|zum?|mit|von|für|wegen) ${WISH}`,
  ),
];

const inRomance =
  (language: 'es' | 'fr' | 'pt', opening: string) =>
  (withdraws: Withdraws, form: string): Withdrawal => ({
    ...{ withdraws, language },
    form: new RegExp(`^(?:(?:ok|okay|${opening}),? )?(?:${form})[.!]?$`, 'iu'),
  });

/** Beginnings of the verbs for what a companion does, with whom it is done to: "you need Tom no longer" takes nothing back. */
const ES_VERB =
  '(?:me )?(?:mencion|habl|respond|contest|escrib|us[aeo]|utili[zc]|llam|pregunt|recuerd|record|d(?:ecir|igas|ar|es)|muestr|mostr|expli[cq]|inclu|brome|tute|env[ií]|termin|acab|empie[zc]|empe[zc])';
const FR_VERB =
  "(?:me |m['’])?(?:mentionn|parl|répond|écri|utilis|appel|di(?:re|s)|donn|montr|expliqu|demand|rappel|inclu|évit|tutoy|vouvoy|plaisant|envoy|termin|commenc|fini)";
const PT_VERB =
  '(?:me )?(?:mencion|fal[ae]|respond|escrev|us[ae]|utiliz|cham|pergunt|lembr|d(?:izer|iga|ar|ê)|mostr|expli[cq]|inclu|evit|brinc|envi|termin|começ)';
const verbal = (verb: string) => `((?=${verb}).{3,120}?)`;
const ES_WISH = verbal(ES_VERB);
const FR_WISH = verbal(FR_VERB);
const PT_WISH = verbal(PT_VERB);

const inSpanish = inRomance('es', 'vale|bueno|oye|y');
const ES: readonly Withdrawal[] = [
  inSpanish(
    'asked',
    String.raw`ya no (?:hace falta|es necesario|tienes|necesitas|hay necesidad de)(?: que)? ${ES_WISH}(?: más)?`,
  ),
  inSpanish('asked', String.raw`no (?:hace falta|es necesario|tienes|necesitas)(?: que)? ${ES_WISH} más`),
  inSpanish('asked', String.raw`(?:(?:ya )?puedes (?:dejar|parar)|deja|para) de ${ES_WISH}`),
  inSpanish('allowed', String.raw`(?:ya )?puedes volver a ${ES_WISH}`),
  inSpanish('allowed', String.raw`(?:ya )?puedes ${ES_WISH} (?:de nuevo|otra vez)`),
  inSpanish(
    'rule',
    String.raw`(?:olvida|elimina|quita) (?:la|mi|esa) (?:regla|instrucción|petición) (?:del?|sobre) ${WISH}`,
  ),
];

const inFrench = inRomance('fr', 'bon|alors|et|dis');
/** "de" before a verb, with the space behind it. */
const FR_TO = String.raw`(?:de |d['’])`;
const FR: readonly Withdrawal[] = [
  inFrench('asked', String.raw`(?:tu n['’]as|vous n['’]avez) plus besoin ${FR_TO}${FR_WISH}`),
  inFrench('asked', String.raw`(?:tu n['’]es|vous n['’]êtes) plus obligée?s? ${FR_TO}${FR_WISH}`),
  inFrench('asked', String.raw`(?:ce n['’]est|c['’]est) plus (?:la peine|nécessaire) ${FR_TO}${FR_WISH}`),
  inFrench(
    'asked',
    String.raw`(?:tu peux|vous pouvez) (?:maintenant )?(?:arrêter|cesser) ${FR_TO}${FR_WISH}|(?:arrête|cesse|arrêtez|cessez) ${FR_TO}${FR_WISH}`,
  ),
  inFrench('allowed', String.raw`(?:tu peux|vous pouvez) (?:de|à) nouveau ${FR_WISH}`),
  inFrench('allowed', String.raw`(?:tu peux|vous pouvez) recommencer à ${FR_WISH}`),
  inFrench('allowed', String.raw`(?:tu peux|vous pouvez) ${FR_WISH} (?:de|à) nouveau`),
  inFrench(
    'rule',
    String.raw`(?:oublie|supprime|oubliez) (?:la|ma|cette) (?:règle|consigne|demande) (?:sur |concernant |de |du |des |d['’])${WISH}`,
  ),
];

const inPortuguese = inRomance('pt', 'bom|olha|então|e');
const PT: readonly Withdrawal[] = [
  inPortuguese(
    'asked',
    String.raw`(?:você |tu )?já não (?:precisas?|tens?|tem|é preciso)(?: de| que)? ${PT_WISH}`,
  ),
  inPortuguese('asked', String.raw`(?:você |tu )?não (?:precisas?|tens?|tem) mais(?: de| que)? ${PT_WISH}`),
  inPortuguese('asked', String.raw`(?:você |tu )?não (?:precisas?|tens?|tem)(?: de| que)? ${PT_WISH} mais`),
  inPortuguese('asked', String.raw`(?:(?:você |tu )?(?:já )?podes? parar|pare|deixa|deixe) de ${PT_WISH}`),
  inPortuguese('allowed', String.raw`(?:você |tu )?(?:já )?podes? voltar a ${PT_WISH}`),
  inPortuguese(
    'allowed',
    String.raw`(?:você |tu )?(?:já )?podes? ${PT_WISH} (?:de novo|outra vez|novamente)`,
  ),
  inPortuguese(
    'rule',
    String.raw`(?:esqueça|esquece|esquecer) (?:a|minha|a minha|essa) (?:regra|instrução) (?:d[aeo]s?|sobre) ${WISH}`,
  ),
];

/** Forms that take a wish back, in the languages that wishes are read in. */
export const WITHDRAWALS: readonly Withdrawal[] = [...EN, ...DE, ...ES, ...FR, ...PT];

/** Forms of a verb that a stemmer does not bring together, with one word for all, by language. */
const VERB_FORMS: Readonly<Record<string, readonly (readonly [forms: RegExp, common: string])[]>> = {
  en: [formsOf('start(?:s|ing)?|begin(?:s|ning)?', 'begin')],
  de: [
    formsOf('sprich|sprech(?:e|en)', 'sprech'),
    formsOf('gib|geb(?:e|en)', 'geb'),
    formsOf('nenne?|nennen', 'nenn'),
  ],
  es: [
    formsOf('d(?:i|ime|igas?|ecir(?:me)?)', 'decir'),
    formsOf('da|dame|des|dar(?:me)?', 'dar'),
    formsOf('us(?:a|as|e|es|ar)', 'usar'),
  ],
  fr: [
    formsOf('réponds?|répond(?:re|ez)', 'repondre'),
    formsOf('écri(?:s|re|vez)', 'ecrire'),
    formsOf('dis|dites|dire', 'dire'),
  ],
  pt: [formsOf('di(?:ga|z|zer)', 'dizer'), formsOf('dê|dar', 'dar'), formsOf('us(?:a|as|e|es|ar)', 'usar')],
};

function formsOf(forms: string, common: string) {
  return [new RegExp(String.raw`(?<!\p{L})(?:${forms})(?!\p{L})`, 'giu'), common] as const;
}

/** Writes irregular verbs of a language in one form. */
export function withCommonVerbs(words: string, language = 'en'): string {
  return (VERB_FORMS[language] ?? []).reduce(
    (text, [forms, common]) => text.replaceAll(forms, common),
    words,
  );
}
