import { PEOPLE } from './rules-lexicon.js';

/** Meaning of an "it" for praise: something that was performed or made, something of the speaker's, or another thing. */
export type Named = 'performance' | 'belonging' | 'thing';

const OWNING = new Set(['my', 'our']);
const POINTING = new Set('a an the his their'.split(' '));
/** Animals, which an "it" may mean as it means no other of those who are no things. */
const ANIMALS = new Set('dog cat puppy kitten hamster rabbit horse parrot pet'.split(' '));
/** Performances, and works that somebody may have made well. */
const PERFORMANCES = new Set(
  `performance show gig concert song songs poem poems poetry story tale speech talk presentation interview exam exams test
  audition match game race set solo dance recital rehearsal pitch essay paper report homework assignment quiz workout run
  lesson class cover routine act part role rap verse remix joke jokes roast impression recipe dish meal dinner cake painting
  drawing picture design logo outfit look costume answer answers reply translation summary explanation advice letter email
  draft chapter post video track beat melody chorus lyrics karaoke debate round level challenge job task work help deadline
  meeting session party event playlist question questions line lines caption title name note puzzle riddle chess idea ideas
  plan trick tip tips rhyme rhymes voice singing playing writing acting dancing cooking mission script scene`.split(
    /\s+/u,
  ),
);
/** Words behind an article that are no "it": those of turns of phrase, and of many people. */
const NO_IT = new Set(
  `lot bit god gosh goodness word way time whole thing things best first last day week moment end heart mind life crowd
  audience client judges jury public internet world room house`.split(/\s+/u),
);
/** Words of a noun with what stands before it: "my little old hamster". */
const MAX_NOUN = 3;

/** Finds what an "it" means: the last thing that earlier words name. Null where they name none. */
export function namedBefore(words: readonly string[]): Named | null {
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at] ?? '';
    const noun = words.slice(at + 1, at + 1 + MAX_NOUN);
    if (word === 'your') return 'performance';
    const isNamed = OWNING.has(word) || POINTING.has(word);
    if (!isNamed || noun.length === 0 || NO_IT.has(noun[0] ?? '')) continue;
    if (noun.some((each) => PERFORMANCES.has(each))) return 'performance';
    if (PEOPLE.has(noun[0] ?? '') && !ANIMALS.has(noun[0] ?? '')) continue;
    return OWNING.has(word) ? 'belonging' : 'thing';
  }
  return null;
}
