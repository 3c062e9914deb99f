/**
 * Walks two sequences ordered by id side by side: yields each id once, with the item of either. Holds one item of each
 * in memory, however long they are.
 */
export async function* walkTogether<Row extends { id: string }, Point extends { id: string }>(
  rows: AsyncIterable<Row>,
  points: AsyncIterable<Point>,
): AsyncGenerator<{ row: Row | undefined; point: Point | undefined }> {
  const left = rows[Symbol.asyncIterator]();
  const right = points[Symbol.asyncIterator]();
  const take = async <T>(from: AsyncIterator<T>): Promise<T | undefined> => {
    const step = await from.next();
    return step.done ? undefined : step.value;
  };
  let row = await take(left);
  let point = await take(right);
  while (row || point) {
    if (row && point && row.id === point.id) {
      yield { row, point };
      [row, point] = [await take(left), await take(right)];
    } else if (row && (!point || row.id < point.id)) {
      yield { row, point: undefined };
      row = await take(left);
    } else {
      yield { row: undefined, point };
      point = await take(right);
    }
  }
}
