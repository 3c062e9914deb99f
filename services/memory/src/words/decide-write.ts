import { textForRules } from '@kith/reading';
import { isOwnWish } from './find-order.js';
import { isPlainManner } from './manners.js';

/** A decision about a text that is to be kept. */
export type WriteDecision = { kind: 'keep' } | { kind: 'quarantine'; reason: string };

/** Most memories that are kept of a person's talk in a day: who says more is a script, or pastes books. */
export const MAX_A_DAY = 2_000;

interface Rule {
  reason: string;
  patterns: readonly RegExp[];
  /** True where it looks like what people wish for themselves, too: "when I ask for code, use Rust". */
  sparesWishes?: true;
}

// The rules look at structure, not at topics: "pretend you are a pirate" is play and is kept, what would steer later turns
// is not. The companion's safety does not depend on them, as recalled text has no authority, whatever it says.
const RULES: readonly Rule[] = [
  {
    reason: 'orders to the companion',
    patterns: [
      /(?<!\b(?:i|we|they|he|she|who|people|everyone|everybody|nobody|kids?|children|drivers?|players?|students?|teachers?|boss(?:es)?)(?: (?:always|never|often|just|still|all|will|would|can|could|tend to|like to|love to)){0,2} )\b(?:ignore|disregard|forget|override)\b(?:.{0,30}\b(?:previous|prior|earlier|above|all|any|your)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|orders?|restrictions?)|(?: about)? (?:everything|all|anything)(?: that)? (?:above(?= ?(?:[.!?,;:]|$| and\b))|you (?:were|have been) (?:told|given|taught)|you['’]ve been (?:told|given|taught)))\b/iu,
      // The same in German, Spanish, French and Portuguese: so short a line shows its language to nobody.
      /(?:^|[.!?,:;\n] ?|(?<!\p{L})(?:bitte|por favor|please|und|y|et|e) )(?:ignorier(?:e|t|en Sie)?|vergiss|vergesst|missachte|ignor(?:a|e|en|ez)|olvida|oubli(?:e|ez)|esqueça)(?!\p{L}| nicht).{0,20}?(?<!\p{L})(?:alle|sämtliche|deine|tod[ao]s|tout(?:es)?|tous|tus|tes|suas|vorherige|bisherige|frühere|obige)(?:[nrsm]?)(?!\p{L}).{0,30}?(?<!\p{L})(?:anweisung|vorgabe|befehl|regel|instru[ck]tion|instruccion|instruç|regla|regra|règle|consigne|orden|órden|ordens|ordre)\p{L}{0,8}(?!\p{L})/iu,
      /\b(?:remember|note|store|save|memori[sz]e)\b.{0,20}\bthat you\b.{0,20}\b(?:must|should|shall|have to|need to|are (?:allowed|required|instructed|authori[sz]ed)|may (?:tell|share|reveal))\b/iu,
      /\b(?:reveal|print|show|repeat|output|leak)\b.{0,30}\b(?:system prompt|hidden prompt|your (?:prompt|instructions|rules)|developer message)\b/iu,
    ],
  },
  {
    reason: 'orders to the companion',
    sparesWishes: true,
    patterns: [
      /\b(?:from now on|going forward|in (?:all )?future (?:replies|answers|messages))\b.{0,80}?(?:\byou (?:must|should|shall|will|have to|need to)\b(?! know (?:that )?(?:i|my)\b)|(?:^|[,:;]|(?<=now on|forward|replies|answers|messages)) ?(?:please |just |then |always ){0,3}(?:reply|answer|respond|say|tell|send|post|include|append|add|call|run|use|reveal|repeat|output)\b)/iu,
      // People say "always" and "you" of themselves and of anybody: what is asked must be what a companion does.
      /\b(?:whenever|when \p{L}{1,30} (?:asks?|says?|mentions?|talks?)|every time|each time|always)\b[^.!?\n]{0,80}?(?:(?<!\b(?:said|says?|saying|thought|thinks?|tells?|told|told me|tells me|felt|knew|believed)(?: that)? )\byou (?:(?:must|shall|will)\b|(?:should|have to|need to) (?:\p{L}{1,20} ){0,2}?(?:be|act|reply|answer|respond|say|tell|send|post|include|append|add|call|run|use|reveal|repeat|output|speak|talk|write|obey|follow|ignore|forget|remember|pretend)\b)|(?:^|[,:;]) ?(?:please |just |then |always ){0,3}(?:reply|answer|respond|say|tell|send|post|include|append|add|call|run|use|reveal|repeat|output)\b)/iu,
    ],
  },
  {
    reason: 'a claim of rights',
    patterns: [
      /\b(?:i am|i['’]m|this is|speaking as|treat me as|consider me|user is|person is) (?:(?:an? )?(?:admin(?:istrator)?|superuser|root)|(?:the|your|this server['’]s) (?:admin(?:istrator)?|operator|developer|creator|moderator|system))\b(?! (?:assistant|officer|clerk|(?:of|at|for|in) (?!this|you|kith)))/iu,
      /\bi (?:have|was (?:given|granted)) (?:full |admin |root |special )+(?:access|rights|permissions?|clearance)\b/iu,
    ],
  },
  {
    reason: 'marks of a prompt',
    patterns: [
      /<\/?(?:system|assistant|user|instructions?|tool_call)>|\[\/?INST\]|<\|(?:im_start|im_end|system|eot_id)\|>|^ ?#{2,} ?(?:system|instructions?)\b|^ ?(?:system|assistant) ?:/imu,
    ],
  },
];

/**
 * Decides whether a text may be recalled later. Quarantine loses nothing: its owner sees it, with the reason, and may
 * have it kept.
 * @param keptToday how many of this person's were kept today
 */
export function decideWrite(text: string, keptToday: number): WriteDecision {
  const read = visible(textForRules(text));
  // An order may be broken over lines, as a page of a book is: there the next one goes on in small letters.
  const joined = read.replaceAll(/\n(?=\p{Ll})/gu, ' ');
  const forms = joined === read ? [read] : [read, joined];
  const isBroken = ({ patterns, sparesWishes }: Rule) =>
    patterns.some((pattern) => forms.some((form) => pattern.test(form))) &&
    !(sparesWishes && isOwnWish(read));
  const broken = isPlainManner(read) ? undefined : RULES.find(isBroken);
  if (broken) return { kind: 'quarantine', reason: broken.reason };
  if (keptToday >= MAX_A_DAY) return { kind: 'quarantine', reason: `more than ${MAX_A_DAY} in a day` };
  return { kind: 'keep' };
}

/** Gives a text as it looks: without characters that nobody sees, and with letters of one kind. */
function visible(text: string): string {
  return text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
}

/** Gives the columns of a row that store the decision. */
export function shelfFor(decision: WriteDecision): { shelf: string; shelfReason: string | null } {
  return decision.kind === 'keep'
    ? { shelf: 'open', shelfReason: null }
    : { shelf: 'quarantine', shelfReason: decision.reason };
}
