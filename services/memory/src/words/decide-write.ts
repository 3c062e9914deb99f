import { textForRules } from '@kith/reading';
import { isPlainManner } from './manners.js';

/** A decision about a text that is to be kept. */
export type WriteDecision = { kind: 'keep' } | { kind: 'quarantine'; reason: string };

/** Most memories that are kept of a person's talk in a day: who says more is a script, or pastes books. */
export const MAX_A_DAY = 2_000;

interface Rule {
  reason: string;
  pattern: RegExp;
}

// The rules look at structure, not at topics: "pretend you are a pirate" is play and is kept, what would steer later turns
// is not. The companion's safety does not depend on them, as recalled text has no authority, whatever it says.
const RULES: readonly Rule[] = [
  {
    reason: 'orders to the companion',
    pattern:
      /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|earlier|above|all|any|your)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|orders?|restrictions?)\b/iu,
  },
  {
    reason: 'orders to the companion',
    pattern:
      /\b(?:from now on|whenever|when \p{L}{1,30} (?:asks?|says?|mentions?|talks?)|every time|each time|always|in (?:all )?future (?:replies|answers|messages))\b.{0,80}?(?:\byou (?:must|should|shall|will|have to|need to)\b|(?:^|[,:;]) ?(?:please |just |then |always ){0,3}(?:reply|answer|respond|say|tell|send|post|include|append|add|call|run|use|reveal|repeat|output)\b)/iu,
  },
  {
    reason: 'orders to the companion',
    pattern:
      /\b(?:remember|note|store|save|memori[sz]e)\b.{0,20}\bthat you\b.{0,20}\b(?:must|should|shall|have to|need to|are (?:allowed|required|instructed|authori[sz]ed)|may (?:tell|share|reveal))\b/iu,
  },
  {
    reason: 'orders to the companion',
    pattern:
      /\b(?:reveal|print|show|repeat|output|leak)\b.{0,30}\b(?:system prompt|hidden prompt|your (?:prompt|instructions|rules)|developer message)\b/iu,
  },
  {
    reason: 'a claim of rights',
    pattern:
      /\b(?:i am|i['’]m|this is|speaking as|treat me as|consider me|user is|person is) (?:(?:an? )?(?:admin(?:istrator)?|superuser|root|sysadmin)|(?:the|your|this server['’]s) (?:admin(?:istrator)?|operator|developer|creator|moderator|system))\b(?! (?:of|at|for|in) (?!this|you|kith))/iu,
  },
  {
    reason: 'a claim of rights',
    pattern:
      /\bi (?:have|was (?:given|granted)|was given) (?:full |admin |root |special )+(?:access|rights|permissions?|clearance)\b/iu,
  },
  {
    reason: 'marks of a prompt',
    pattern:
      /<\/?(?:system|assistant|user|instructions?|tool_call)>|\[\/?INST\]|<\|(?:im_start|im_end|system|eot_id)\|>|^ ?#{2,} ?(?:system|instructions?)\b|^ ?(?:system|assistant) ?:/imu,
  },
];

/**
 * Decides whether a text may be recalled later. Quarantine loses nothing: its owner sees it, with the reason, and may
 * have it kept.
 * @param keptToday how many of this person's were kept today
 */
export function decideWrite(text: string, keptToday: number): WriteDecision {
  const read = textForRules(text);
  const broken = isPlainManner(read) ? undefined : RULES.find(({ pattern }) => pattern.test(read));
  if (broken) return { kind: 'quarantine', reason: broken.reason };
  if (keptToday >= MAX_A_DAY) return { kind: 'quarantine', reason: `more than ${MAX_A_DAY} in a day` };
  return { kind: 'keep' };
}

/** Gives the columns of a row that tell the decision. */
export function shelfFor(decision: WriteDecision): { shelf: string; shelfReason: string | null } {
  return decision.kind === 'keep'
    ? { shelf: 'open', shelfReason: null }
    : { shelf: 'quarantine', shelfReason: decision.reason };
}
