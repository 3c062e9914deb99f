import { textForRules } from '@kith/reading';

const YES = String.raw`yes|yeah|yep|yup|absolutely|definitely|certainly|totally|indeed|of course|exactly|correct|that['’]s right|sure|i do|i am|i have`;
const NO = String.raw`no|nope|nah|not really|not at all|not any ?more|never|i don['’]t|i do not|i['’]m not|i am not|i haven['’]t|i have not`;
/** Words of agreement, or of affirmation in other languages: enough where the question is known. */
const AGREES = String.raw`ok|okay|gladly|sounds (?:good|great)|deal|perfect|with pleasure|i['’]d love to|oui|ja|sí|si|sim|tak|да|はい`;
const DENIES = String.raw`rather not|i can['’]t|non|nein|nee|nie|нет|いいえ`;
/** Phrases that may follow a yes or a no and change nothing. Of two that begin alike, the longer stands first. */
const STRESS = String.raw`very much|so much|a lot|(?:i )?(?:really )?(?:love|like|adore|hate) it|really do|really|still|always|thanks|thank you|sorry|no longer`;

const begins = (words: string) => new RegExp(String.raw`^(?:${words})(?![\p{L}'’])`, 'iu');
/** Matches a phrase at one place, with what separates it from the next one. */
const phraseOf = (words: string) => new RegExp(String.raw`(?:${words})(?:[,.!… ]+|$)`, 'iuy');
const [BEGINS_YES, BEGINS_NO] = [begins(`${YES}|${AGREES}`), begins(`${NO}|${DENIES}`)];
const [ALL_YES, ALL_NO] = [
  { first: phraseOf(YES), next: phraseOf(`${STRESS}|${YES}`) },
  { first: phraseOf(NO), next: phraseOf(`${STRESS}|${NO}`) },
];

/** Reads whether a line begins by affirming or denying what was asked; null where it does neither. */
export function answerOf(text: string): 'yes' | 'no' | null {
  const told = bare(text);
  if (BEGINS_NO.test(told)) return 'no';
  return BEGINS_YES.test(told) ? 'yes' : null;
}

/** Reads whether a text is a yes or a no and nothing beside it; null where it is neither. */
export function wholeAnswerOf(text: string): 'yes' | 'no' | null {
  const told = bare(text);
  if (isMadeOf(told, ALL_YES)) return 'yes';
  return isMadeOf(told, ALL_NO) ? 'no' : null;
}

/** Strips marks, spaces and emojis around the words. */
function bare(text: string): string {
  return /\p{L}(?:.*\p{L})?/su.exec(textForRules(text))?.[0] ?? '';
}

/** Tells whether a text consists of these phrases only. Never backtracks, so that a hostile text takes linear time. */
function isMadeOf(text: string, { first, next }: { first: RegExp; next: RegExp }): boolean {
  let at = 0;
  for (let phrase = first; at < text.length; phrase = next) {
    phrase.lastIndex = at;
    if (!phrase.test(text)) return false;
    at = phrase.lastIndex;
  }
  return at > 0;
}
