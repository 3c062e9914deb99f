/** One number of recall taken out; `undo` puts it back. */
interface Ablation {
  name: string;
  undo: () => void;
}

type Numbers = number | Numbers[] | { [name: string]: Numbers };

/** Values that leave a number without effect, where that is not zero. */
const NEUTRAL: Readonly<Record<string, number>> = { mmrLambda: 1, lentTerms: Infinity };

/** Takes each number, or list of them, out in turn; each is to be put back before the next. */
export function* ablations(tuned: object): Generator<Ablation> {
  const held = tuned as Record<string, Numbers>;
  for (const [name, value] of Object.entries(held)) {
    held[name] = without(value, NEUTRAL[name] ?? 0);
    yield { name, undo: () => (held[name] = value) };
  }
}

function without(value: Numbers, neutral: number): Numbers {
  if (typeof value === 'number') return neutral;
  if (Array.isArray(value)) return [];
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, without(each, neutral)]));
}
