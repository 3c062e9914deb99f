import { TUNED } from '../../words/tuned.js';
import { NONE, type LineOrder } from './line-order.js';

/**
 * Mixes a row's cosine with those of the lines around it that are heard, by their shares. It is called for each of ten
 * thousand rows in a search, so it makes no objects.
 * @param part what this row takes of its neighbours' shares: less, the longer it is itself
 * @param cosines cosines of all rows
 */
export function mixedCosine(
  row: number,
  part: number,
  cosines: Float64Array,
  audible: Uint8Array,
  order: LineOrder,
): number {
  let sum = cosines[row] ?? 0;
  let shares = 1;
  for (let side = 0; side < 2; side += 1) {
    const links = side === 0 ? order.before : order.after;
    const weights = side === 0 ? TUNED.before : TUNED.after;
    let at = row;
    for (let place = 0; place < weights.length; place += 1) {
      at = order.step(at, links);
      if (at === NONE) break;
      if (audible[at] === 0) continue;
      const share = part * (weights[place] ?? 0);
      sum += share * (cosines[at] ?? 0);
      shares += share;
    }
  }
  return sum / shares;
}
