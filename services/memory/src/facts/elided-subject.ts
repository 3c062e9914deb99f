import { NOW } from './rule-words.js';

/** Past forms by which chat tells of its writer without an "I". They order nothing, as "quit smoking" does. */
const DONE = String.raw`${NOW}(?:got|moved|relocated|quit(?! (?:the|this|that|these|your|it|\p{L}+ing)\b)|lost my|left|broke up|split up|started|became|turned|dropped out|graduated|retired|adopted|joined|resigned|gave up|switched)(?![\p{L}’'-])`;
/** Beginning of a text that goes on with what its writer did: "ugh, got laid off". */
const OPENS = new RegExp(
  String.raw`^((?:(?:so|well|and|but|ugh|oh|oh no|yay|hey|hi|ok|okay|today|yesterday|welp|guess what|update|good news|bad news)[,.:! ]{1,3}){0,3})(${DONE})`,
  'iu',
);
/** Beginning of a clause that goes on with what an "I" before it did: "I grew up in Cork but moved to Dublin". */
const GOES_ON = new RegExp(String.raw`^((?:but|and|so|then|and then) )(${DONE})`, 'iu');
const SAID_OF_SELF = /^(?:(?:and|but|so) )?(?:i|we)\b/iu;

/** Names the writer where a text opens without its subject: "moved to Graz" becomes "I moved to Graz". */
export function withSubject(text: string): string {
  return text.replace(OPENS, named);
}

/** Names the writer where a clause goes on without its subject: "I sold the car and moved to Graz". */
export function withSubjectOf(before: string, text: string): string {
  return SAID_OF_SELF.test(before) ? text.replace(GOES_ON, named) : text;
}

function named(_: string, opening: string, done: string): string {
  return `${opening}I ${done.charAt(0).toLowerCase()}${done.slice(1)}`;
}
