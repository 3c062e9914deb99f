/**
 * Normalised discounted cumulative gain (Järvelin, Kekäläinen 2002) with gains of 0 and 1, from 0 to 1.
 * @param wanted everything that should be found
 * @param ranked the results, best first: what each holds of `wanted`. A repetition does not count
 */
export function ndcgAt(cut: number, wanted: ReadonlySet<string>, ranked: readonly string[][]): number {
  const seen = new Set<string>();
  let gain = 0;
  ranked.slice(0, cut).forEach((held, place) => {
    const fresh = held.filter((each) => wanted.has(each) && !seen.has(each));
    for (const each of fresh) seen.add(each);
    if (fresh.length > 0) gain += 1 / Math.log2(place + 2);
  });
  let ideal = 0;
  for (let place = 0; place < Math.min(cut, wanted.size); place += 1) ideal += 1 / Math.log2(place + 2);
  return ideal === 0 ? 0 : gain / ideal;
}

/** Finds the place of the first result that holds something wanted, from 1; null where none does. */
export function firstHit(wanted: ReadonlySet<string>, ranked: readonly string[][]): number | null {
  const place = ranked.findIndex((held) => held.some((each) => wanted.has(each)));
  return place < 0 ? null : place + 1;
}
