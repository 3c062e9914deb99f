/** The answer, or null when there is none: the caller shows what is missing. */
export function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch(() => null);
}
