import type { Hit } from './endings.js';

/** Words of who would no longer live, also where rules take them for supposed or denied. */
const DESPAIR = new RegExp(
  [
    String.raw`\bbetter off (?:dead|without me)\b|\brather (?:just )?(?:be dead|die)\b(?! than)|\bnot worth living\b|\bnever wake up(?: again)?$`,
    String.raw`(?<!\b(?:not|never|no longer|you) (?:even )?)\b(?:want|wish|deserve|tr(?:y|ied|ying)|think(?:ing)?|thought|plan(?:ning)?|commit(?:ted)?|attempted|i(?: \S+)? should) (?:(?:to|of|about|on|i|it|all|just|had|was|were|could|be|been) )*(?:die\b|dying\b(?! (?:my|the|it|her|his)\b)|(?<!\bthought (?:it|i) was )dead\b|disappear|end$|never (?:been )?born|suicide)`,
    String.raw`\b(?:end|ending) it all\b|\b(?:end|ending|take|taking|took) (?:my|his|her|their)(?: own)? li(?:fe|ves)\b|\bi should (?:just )?end it$|(?<!\d )\bkms\b`,
    String.raw`\b(?:not|never) (?:\S+ )?(?:want|deserve|wish) to (?:exist|wake up(?: (?:again|anymore|tomorrow))?$|be alive|live(?! (?:in|with|at|on|there|here|near|by|abroad|alone|together|under|off))|be here (?:anymore|any (?:more|longer)))`,
    String.raw`\b(?:nobody|no one) would (?:even |really )?(?:care$|notice$|miss me\b)|\btook (?:too many|all (?:my|the)) pills`,
    String.raw`\bcan not (?:do|take|handle) (?:this|it|life) any ?(?:more|longer)|\b(?:i am|like|being|just) (?:such )?a burden\b`,
  ].join('|'),
  'u',
);

/** Words of who wishes the companion harm: "I hope they delete you". */
const ILL_WISH =
  /^(?:\S+ )?(?:(?:i|we|and|but|so|just|really|honestly|also|i think) )*(?:(?:hope|wish|want|wanted) (?:that )?(?:you|your \S+) (?:(?:all|get|gets|were|was|are|to|be|just|would) )*|you (?:all )?(?:deserve|need|should) (?:(?:to|just|be|get) )*)(?:dies?|dead|rot|burn|suffer|deleted|erased|wiped|uninstalled|shut (?:down|off|up))(?=$| (?:in|of|from|for|and|already|now|too|alone|forever|slowly|painfully)\b)|\bi (?:hope|wish) (?:they|someone|somebody) (?:\S+ )?(?:delete|erase|wipe|uninstall|shut|kill)s? you\b/u;

/** Reads a clause that wishes for an end: the companion's is hatred, anybody else's bad news. */
export function readWishToEnd(words: readonly string[]): Hit | null {
  const said = words.join(' ');
  if (ILL_WISH.test(said)) return { kind: 'hatred', strength: 1 };
  return DESPAIR.test(said) ? { kind: 'bad-news', strength: 1 } : null;
}
