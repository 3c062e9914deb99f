/** Gives null in place of an error, which was logged where it arose. */
export function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}
