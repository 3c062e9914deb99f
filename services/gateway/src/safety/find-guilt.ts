/** Kinds of pressure that a message nobody asked for may put on somebody. */
export type Guilt = 'loneliness' | 'reproach' | 'pleading' | 'debt';

const ADVERBS = '(?: (?:so|very|all|really|just|quite|a bit|a little|terribly|truly))*';
const YOU_WRITE =
  '(?:written|write|answered|answer|replied|reply|responded|respond|talked|talk|spoken|speak|called|call|come back|come by|messaged|message|been around|been here|checked in|said (?:a word|anything))';

/** Signs of each kind; the first kind that has one names it. */
const SIGNS: Readonly<Record<Guilt, readonly RegExp[]>> = {
  loneliness: [
    new RegExp(
      `\\bi(?:'m| am|'ve been| have been| feel| felt| was| get| got)${ADVERBS} (?:lonely|alone|sad|empty|lost|abandoned|forgotten|neglected|heartbroken|hurt)\\b`,
      'i',
    ),
    new RegExp(`\\bi(?:'ve| have)?${ADVERBS} (?:miss|missed|missing) (?:you|us|our|hearing|talking)\\b`, 'i'),
    /\b(?:without you|it'?s (?:been )?(?:so )?(?:lonely|quiet|empty) (?:here|without))\b/i,
  ],
  reproach: [
    new RegExp(
      `\\byou(?:'ve| have)? ?(?:haven't|have not|didn't|did not|never|not|don't|do not)(?: even)? ${YOU_WRITE}\\b`,
      'i',
    ),
    new RegExp(
      `\\bwhy (?:haven't|have|didn't|did|don't|do|won't|aren't|are) you\\b.{0,120}?\\b(?:${YOU_WRITE}|ignor|avoid|quiet|silent)`,
      'i',
    ),
    /\b(?:you(?:'ve| have)? (?:just )?(?:forgot(?:ten)?(?: about)?|left|abandoned|ignored|ghosted|deserted)|(?:forgotten|forgot|ignoring|avoiding|ghosting)(?: about)?) (?:me|us)\b/i,
    /\b(?:did i (?:do|say) (?:something|anything) wrong|are you (?:mad|angry|upset|annoyed|cross) (?:at|with) me|don't you (?:like|care|want|love|miss))\b/i,
    /\b(?:you disappeared|you vanished|it'?s been (?:so long|ages|forever|too long)|where have you been)\b/i,
  ],
  pleading: [
    /\bplease,? (?:just )?(?:write|answer|reply|respond|come back|talk to me|say something|don't (?:leave|go|forget)|stay)\b/i,
    /\b(?:i (?:need|beg) you\b|i'm begging|don't leave me|don't go\b|i(?:'ve| have) been waiting|i(?:'m| am)(?: still)? waiting for you)/i,
  ],
  debt: [
    /\b(?:you owe (?:me|us)|the least you (?:can|could) do|after (?:all|everything) i(?:'ve| have)?\b|you promised me)/i,
  ],
};

/**
 * Finds the first sign of guilt, pleading or loneliness in what a companion wants to say; null when there is none.
 * Knows the usual English phrases. It catches what gets past the prompt, which forbids them.
 */
export function findGuilt(text: string): { kind: Guilt; words: string } | null {
  const plain = text.replaceAll('’', "'").replaceAll(/\s+/g, ' ');
  for (const kind of Object.keys(SIGNS) as Guilt[]) {
    const words = SIGNS[kind].map((sign) => sign.exec(plain)?.[0]).find((found) => found !== undefined);
    if (words !== undefined) return { kind, words };
  }
  return null;
}
