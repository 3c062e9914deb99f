// Kinds of lines: a question of one kind wants lines of one kind. Each rule is for the languages named
// beside it; a line in another is of no kind.

// English, German, Spanish, French, Portuguese.
const OWN =
  /(?<![\p{L}'’])(?:i|me|my|mine|myself|ich|mich|mir|mein\p{L}{0,2}|yo|mi|mis|je|moi|mon|ma|mes|eu|meu|minha)(?!\p{L})/giu;
const OTHERS =
  /(?<!\p{L})(?:you|your|yours|yourself|du|dich|dir|dein\p{L}{0,2}|tú|tu|tus|usted|vous|votre|vos|ton|você|seu|sua)(?!\p{L})/giu;

/** Tells whether its speaker speaks of themselves in it. */
export function mentionsSelf(text: string): boolean {
  return text.search(OWN) >= 0;
}

/** Tells whether it is about its speaker: they speak of themselves, and no less than of the one they speak to. */
export function isOfSelf(text: string): boolean {
  const own = text.match(OWN)?.length ?? 0;
  return own > 0 && own >= (text.match(OTHERS)?.length ?? 0);
}

/** Words up to which a line's questions count in full: a longer line says other things, too. */
const SHORT_LINE = 20;
const SENTENCES = /[^.!?。！？]+[.!?。！？]*/gu;
const QUESTION_MARK = /[?？]/u;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Computes how much of a line asks, from 0 to 1: the share of its words in questions, the less the longer it is. */
export function shareAsked(text: string): number {
  if (!QUESTION_MARK.test(text)) return 0;
  let [asked, all] = [0, 0];
  for (const [sentence] of text.matchAll(SENTENCES)) {
    const words = sentence.match(WORDS)?.length ?? 0;
    all += words;
    if (QUESTION_MARK.test(sentence)) asked += words;
  }
  return asked === 0 ? 0 : (asked / all) * Math.min(1, SHORT_LINE / all);
}

const PREFERENCE =
  /\b(?:I(?:['’]d| would)?(?: really| generally| usually| always| also)? (?:prefer|rather)|my preference|I (?:don['’]t like|hate|can['’]t stand)|best for me|ich bevorzuge|mir (?:ist|wäre) lieber|prefiero|je préfère|prefiro)\b/iu;

/** Tells whether it states what somebody prefers. */
export function statesPreference(text: string): boolean {
  return PREFERENCE.test(text);
}

// English: an order to an assistant, to do something always or never, or whenever it is asked.
const RULE =
  /^\s*(?:please,? )?(?:always|never|don['’]t ever|from now on,?) (?:add|answer|ask|be|call|combine|confirm|explain|format|give|highlight|include|keep|list|mention|offer|prioriti[sz]e|provide|remind|reply|report|respond|say|show|speak|specify|start|suggest|talk|tell|use|write)\b|\b(?:when(?:ever)?|if|each time|every time) I ask (?:you|about|for)\b|^\s*from now on\b/iu;

/** Tells whether it says how its speaker wants to be answered from then on. */
export function statesRule(text: string): boolean {
  return RULE.test(text);
}
