/**
 * Finds how many characters of a text fit: halves what is too much until it does not matter.
 * @param all characters that there are
 * @param fits tells whether so many fit
 */
export function charactersThatFit(all: number, fits: (characters: number) => boolean): number {
  if (fits(all)) return all;
  let [least, over] = [0, all];
  while (over - least > 16) {
    const middle = (least + over) >> 1;
    if (fits(middle)) least = middle;
    else over = middle;
  }
  return least;
}
