/**
 * Counts tokens of a text.
 * @param of object whose text it is, for as long as the object lives: its text is counted once
 */
export type CountTokens = (text: string, of?: object) => number;

/** Makes a count that remembers what it counted of each object. */
export function countOnce(count: (text: string) => number): CountTokens {
  const known = new WeakMap<object, number>();
  return (text, of) => {
    if (!of) return count(text);
    const counted = known.get(of) ?? count(text);
    known.set(of, counted);
    return counted;
  };
}
