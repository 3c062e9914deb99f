/**
 * Repeats a statement that changes at most `batch` rows until it finds fewer: many rows are not held by one transaction.
 * Returns how many rows it changed in all.
 */
export async function inBatches(batch: number, change: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    const changed = await change();
    all += changed;
    if (changed < batch) return all;
  }
}
