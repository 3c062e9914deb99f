const CUTS = [5, 10, 20] as const;

interface Sums {
  questions: number;
  evidence: number;
  hits: Record<number, number>;
  found: Record<number, number>;
  ndcg: number;
  inBlock: number;
}

/** Retrieval figures over questions, by category and together. */
export class Tally {
  readonly #byCategory = new Map<string, Sums>();

  get isEmpty(): boolean {
    return this.#byCategory.size === 0;
  }

  /**
   * @param evidence the turns that hold the answer
   * @param ranked of each result, best first, the turns it comes from
   * @param block the turns inside the expanded block
   */
  add(
    category: string,
    evidence: readonly string[],
    ranked: readonly string[][],
    block: readonly string[],
  ): void {
    const wanted = new Set(evidence);
    for (const name of [category, 'all']) {
      const sums = this.#byCategory.get(name) ?? {
        questions: 0,
        evidence: 0,
        hits: {},
        found: {},
        ndcg: 0,
        inBlock: 0,
      };
      this.#byCategory.set(name, sums);
      sums.questions += 1;
      sums.evidence += wanted.size;
      for (const cut of CUTS) {
        const found = new Set(
          ranked
            .slice(0, cut)
            .flat()
            .filter((id) => wanted.has(id)),
        ).size;
        sums.hits[cut] = (sums.hits[cut] ?? 0) + (found > 0 ? 1 : 0);
        sums.found[cut] = (sums.found[cut] ?? 0) + found;
      }
      sums.ndcg += ndcgAt(10, wanted, ranked);
      sums.inBlock += block.some((id) => wanted.has(id)) ? 1 : 0;
    }
  }

  /** In percent. */
  figures(): Record<string, Record<string, number>> {
    const percent = (part: number, whole: number) => Math.round((1_000 * part) / whole) / 10;
    return Object.fromEntries(
      [...this.#byCategory].map(([name, { questions, evidence, hits, found, ndcg, inBlock }]) => [
        name,
        {
          questions,
          ...Object.fromEntries(CUTS.map((cut) => [`hit@${cut}`, percent(hits[cut]!, questions)])),
          ...Object.fromEntries(CUTS.map((cut) => [`found@${cut}`, percent(found[cut]!, evidence)])),
          'nDCG@10': percent(ndcg, questions),
          block: percent(inBlock, questions),
        },
      ]),
    );
  }

  table(): Record<string, Record<string, string | number>> {
    return Object.fromEntries(
      Object.entries(this.figures()).map(([name, figures]) => [
        name,
        {
          questions: figures['questions']!,
          ...Object.fromEntries(
            CUTS.map((cut) => [`hit@${cut}`, `${figures[`hit@${cut}`]} (${figures[`found@${cut}`]})`]),
          ),
          'nDCG@10': figures['nDCG@10']!,
          block: figures['block']!,
        },
      ]),
    );
  }
}

/** Normalised discounted cumulative gain (Järvelin, Kekäläinen 2002) with gains of 0 and 1. */
function ndcgAt(cut: number, wanted: ReadonlySet<string>, ranked: readonly string[][]): number {
  const seen = new Set<string>();
  let gain = 0;
  ranked.slice(0, cut).forEach((ids, place) => {
    const fresh = ids.filter((id) => wanted.has(id) && !seen.has(id));
    for (const id of fresh) seen.add(id);
    if (fresh.length > 0) gain += 1 / Math.log2(place + 2);
  });
  let ideal = 0;
  for (let place = 0; place < Math.min(cut, wanted.size); place += 1) ideal += 1 / Math.log2(place + 2);
  return ideal === 0 ? 0 : gain / ideal;
}
