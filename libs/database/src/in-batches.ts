/**
 * Repeats a statement that changes at most `batch` rows until it finds fewer, so that no transaction holds very many.
 * Returns the number of rows changed in all.
 */
export async function inBatches(batch: number, change: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    const changed = await change();
    all += changed;
    if (changed < batch) return all;
  }
}
