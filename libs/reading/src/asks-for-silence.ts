import { foldAccents } from './languages/languages.js';
import { ownWords, sentencesOf } from './own-sentences.js';

/** Little words before or behind such a sentence: they change nothing of what it asks for. */
const COURTESY = [
  'please|pls|plz|hey|hi|ok|okay|just|and|so|then|now|thanks|thank you|for good|ever|again|first|any ?more|any longer',
  'from now on|by yourself|on your own|out of the blue|unprompted|out of nowhere|unless i (?:write|text|message) (?:you )?first',
  'bitte|jetzt|einfach|endlich|danke|mehr|wieder|zuerst|von (?:dir|ihnen) aus|von selbst|ab jetzt',
  "s'il te plait|s'il vous plait|stp|svp|merci|maintenant|plus|jamais|en premier(?:e)?|de toi-meme",
  'por favor|ya|gracias|mas|nunca|primero|a partir de ahora|agora|obrigad[oa]|mais|primeiro|a partir de agora',
].join('|');

/** End of what is asked for good: "don't text me now" is asked for a while. */
const NOT_NOW = '(?! (?:just )?(?:now|then))';
/**
 * The request itself, in English, German, French, Spanish and Portuguese. It is whole: with a time, a topic or a reason
 * behind it ("at night") it asks for something else.
 */
const REQUESTS = [
  String.raw`(?:(?:can|could|would|will(?= you please)) you |you (?:should|can|have to|need to|must) |i (?:want|need|would like|'d like) you to )?(?:(?:please|just) )?(?:stop|quit) (?:(?:writing(?: to)?|messaging|texting|dming|pinging|contacting) me|sending me (?:any )?(?:more )?(?:messages|texts|dms))`,
  String.raw`(?:do not|don't|dont|never) (?:ever )?(?:write(?: to)?|message|text|dm|ping|contact) me${NOT_NOW}`,
  String.raw`(?:do not|don't|dont|never) send me (?:any )?(?:more )?(?:messages|texts|dms)`,
  String.raw`i (?:do not|don't|dont) want (?:you to (?:write(?: to)?|message|text|dm|ping|contact) me|(?:any )?(?:more )?(?:messages|texts|dms) from you)${NOT_NOW}`,
  String.raw`schreib(?:e|en sie)? mir (?:bitte )?(?:nicht|nie|nie wieder|keine nachrichten)(?! jetzt)`,
  String.raw`hor(?:e|en sie)? (?:bitte )?auf,? mir (?:nachrichten )?zu schreiben`,
  String.raw`kannst du (?:bitte )?aufhoren,? mir (?:nachrichten )?zu schreiben`,
  String.raw`ich will nicht,? dass du mir (?:zuerst |noch )?schreibst`,
  String.raw`(?:arrete|arretez|cesse|cessez) de m'(?:ecrire|envoyer des messages)`,
  String.raw`(?:peux-tu|tu peux|pourrais-tu) arreter de m'ecrire`,
  String.raw`ne m'(?:ecris|ecrivez|envoie|envoyez) (?:plus|jamais)(?: de messages?)?`,
  String.raw`(?:deja|deje|para) de (?:escribirme|mandarme mensajes|enviarme mensajes)`,
  String.raw`no me (?:escribas|escriba|mandes mensajes|mande mensajes|envies mensajes|envie mensajes) (?:mas|nunca mas)`,
  String.raw`(?:para|pare) de (?:me escrever|me mandar mensagens?|escrever(?:-me| para mim))`,
  String.raw`nao me (?:escreva|escrevas|mande|mandes|envie|envies) mais(?: mensagens?)?`,
].join('|');

/** Words that turn what follows: "never, ever stop messaging me", "nunca pare de me escrever". */
const NOT_NEVER = String.raw`(?!(?:never|dont|nunca|jamais)\b)`;
/** Words before a name: "Hey Mira, …". A door takes its comma away where it writes a name for a mention. */
const GREETING = 'hey|hi|ok|okay|please|bitte';
const NAME = String.raw`${NOT_NEVER}\p{L}{2,20}`;
const CALLS = String.raw`(?:(?:${GREETING}) )?${NAME}, ?|(?:${GREETING}) (?<called>${NAME}) `;

/** Emoji that mean it, behind the sentence, with their tone of skin. Others may laugh, wink or flirt. */
const EARNEST = String.raw`[🙏🤬😠😡😤😒🙄😞😔😢✋🛑🚫❌💔\p{Emoji_Modifier}\ufe0f]`;

/** Such a sentence from end to end, with a name and courtesies around it. "And then" goes on with a story. */
const WHOLE = new RegExp(
  String.raw`^(?!and then\b)(?:${CALLS})??(?:${NOT_NEVER}(?:${COURTESY}),? )*(?:${REQUESTS})(?:,? (?:${COURTESY}))*(?:, ?(?<last>\p{L}{2,20}))? ?[.!?…]*(?: ?${EARNEST})*$`,
  'u',
);

/** Question that only repeats what was heard: "stop messaging me?", and not "stop messaging me, ok?" or "can you …?". */
const ECHOES =
  /^(?!.*\b(?:can|could|would|will|please|pl[sz]|ok|okay|kannst|bitte|peux|pourrais|plait|stp|svp|favor)\b)[^?]*\?/;

/** Longest sentence that is read: the longest request with its courtesies. Others are about something more. */
const MAX_CHARACTERS = 120;

/** Capital letter of a word, as a name has it: "never", "lol" and "jk" have none. */
const CALLS_A_NAME = /^\p{L}+ \p{Lu}\p{Ll}/u;
const ENDS_IN_NAME = /(?<!\p{L})\p{Lu}\p{L}+[^\p{L}]*$/u;

/**
 * Tells whether somebody asks the companion never to write to them first: "stop messaging me", "don't text me any more".
 * In five languages; the sentence must ask for nothing else ("don't text me at night"), and be no text that the line
 * above it announces ("Translate this:").
 * @param typed their words without what a door put in (`typedWords`)
 */
export function asksForSilence(typed: string): boolean {
  return sentencesOf(ownWords(typed)).some((said, at, all) => {
    const before = all[at - 1] ?? '';
    if (said.length > MAX_CHARACTERS || before.endsWith(':')) return false;
    // "Am 3. schreib mir nicht" is one sentence. Its language need not be told, for which all languages would be loaded.
    if (/\d\.$/.test(before) && /(?<!\p{L})mir(?!\p{L})/iu.test(said)) return false;
    const folded = foldAccents(said.toLowerCase());
    const asked = WHOLE.exec(folded);
    if (!asked || ECHOES.test(folded)) return false;
    const { called, last } = asked.groups ?? {};
    return (
      (called === undefined || CALLS_A_NAME.test(said)) && (last === undefined || ENDS_IN_NAME.test(said))
    );
  });
}
