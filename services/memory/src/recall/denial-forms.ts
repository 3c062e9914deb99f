import { MEAT } from '../facts/rule-words.js';

/** A form of words by which somebody says that they never did something. */
interface DenialForm {
  /** Captures what is denied, up to the end of the clause. */
  pattern: RegExp;
  /** True where it only denies the time until then: a later report is news, and no contradiction. */
  untilThen: boolean;
}

const form = (untilThen: boolean, ...words: string[]): DenialForm => ({
  pattern: new RegExp(String.raw`(?<!\p{L})(?:${words.join('|')}) ([^,.;!?\n]{4,160})`, 'giu'),
  untilThen,
});

/** Denials in English, German, Spanish, French and Portuguese. */
export const DENIAL_FORMS: readonly DenialForm[] = [
  form(
    false,
    String.raw`I(?:['’]ve| have)? never|I (?:haven['’]t|have not) (?:ever|once)|not once have I`,
    String.raw`I (?:don['’]t|do not|can['’]t|cannot) (?:think|believe|recall|remember|say)(?: that)? I(?:['’]ve| have)? ever`,
    String.raw`ich (?:habe|bin|war) (?:noch )?nie|(?:yo )?nunca he|je n['’]ai jamais|(?:eu )?nunca`,
  ),
  form(
    true,
    String.raw`I(?:['’]ve| have) yet to|I(?:['’]ve| have) (?:absolutely )?no (?:prior |previous )?experience (?:with|of|in)`,
    String.raw`I (?:don['’]t|do not) have any (?:prior |previous )?experience (?:with|of|in)`,
    String.raw`ich habe (?:noch )?keine Erfahrung (?:mit|in)|no tengo (?:ninguna )?experiencia (?:con|en)`,
    String.raw`je n['’]ai aucune expérience (?:avec|de|en|dans)|não tenho (?:nenhuma )?experiência (?:com|em)`,
  ),
];

const NAME = String.raw`(\p{Lu}[\p{L}’'-]{1,40})`;
const withNames = (words: string) => new RegExp(String.raw`(?<!\p{L})(?:${words}) ${NAME}`, 'gu');

/** Denials of ever having met somebody, with their name. Names are known by their capitals, so case counts. */
export const NEVER_MET = withNames(
  [
    String.raw`I(?:['’]ve| have)? never (?:actually |even |really )?(?:met|worked with|spoken (?:to|with)|talked (?:to|with))`,
    String.raw`[Ii]ch habe(?= \p{L}{2,40} (?:noch )?nie (?:getroffen|kennengelernt|gesehen))`,
    String.raw`[Nn]unca he (?:conocido a|hablado con|trabajado con)|[Nn]unca (?:conheci [oa]|falei com|trabalhei com)`,
    String.raw`[Jj]e n['’]ai jamais (?:rencontré|parlé (?:à|avec)|travaillé avec)`,
  ].join('|'),
);

/** Words that put somebody who is named beside the speaker. */
export const BESIDE = withNames(
  [
    'met|with|from|joined|visited|introduced to',
    'mit|von|conocí a|con|conheci [oa]|com|rencontré|avec|chez',
  ].join('|'),
);

const SIBLING = String.raw`(?:brother|sister|sibling)s?(?![\p{L}]|['’]s|-in-law| in law)`;

/** Statements that hold for life, and their contraries: both can't be true of somebody, whenever they were said. */
export const OPPOSITES: readonly { one: RegExp; other: RegExp }[] = [
  {
    one: /(?<!\p{L})(?:I(?:['’]m| am| was) an only child|I(?:['’]ve| have)? never had (?:any )?(?:brothers|sisters|siblings)|ich bin (?:ein )?Einzelkind|soy hij[oa] únic[oa]|je suis (?:fils|fille|enfant) unique|sou filh[oa] únic[oa])(?!\p{L})/iu,
    other: new RegExp(
      String.raw`(?<!\p{L})(?:(?:my|I have an?|I(?:['’]ve| have) got an?|I have (?:two|three|four)) (?:older |younger |little |big |twin |half )?${SIBLING}|mein Bruder|meine Schwester|mi herman[oa]|mon frère|ma sœur|meu irmão|minha irmã)(?!\p{L})`,
      'iu',
    ),
  },
  {
    one: /(?<!\p{L})I(?:['’]ve| have) been (?:a )?(?:vegetarian|vegan) (?:all my life|my (?:whole|entire) life|since (?:birth|I was (?:born|a child|a kid|little)))(?!\p{L})/iu,
    other: new RegExp(
      String.raw`(?<!\p{L})I (?:just |once |finally )?(?:ate|had|ordered|grilled|devoured) (?:an? |some |the |my )?(?:\p{L}{2,12} )?(?:${MEAT})(?!\p{L})`,
      'iu',
    ),
  },
];
