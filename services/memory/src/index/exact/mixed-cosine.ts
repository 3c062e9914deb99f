import { TUNED } from '../../words/tuned.js';
import { NONE, type LineOrder } from './line-order.js';

/**
 * Mixes a row's cosine with those of the lines around it that are heard, by their shares.
 * @param cosines of all rows that are heard
 * @param around `part` of its neighbours' shares that this row takes: the longer it is itself, the less
 */
export function mixedCosine(
  row: number,
  cosines: Float64Array,
  { audible, order, part }: { audible: Uint8Array; order: LineOrder; part: number },
): number {
  let [sum, shares] = [cosines[row] ?? 0, 1];
  const add = (links: readonly number[], weights: readonly number[]): void => {
    let at = row;
    for (const weight of weights) {
      at = order.step(at, links);
      if (at === NONE) return;
      if (audible[at] === 0) continue;
      sum += part * weight * (cosines[at] ?? 0);
      shares += part * weight;
    }
  };
  add(order.before, TUNED.before);
  add(order.after, TUNED.after);
  return sum / shares;
}
