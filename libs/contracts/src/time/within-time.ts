/** Settles as `work` does, or rejects with what `late` makes when that takes longer than `withinMs`. */
export async function withinTime<T>(work: Promise<T>, withinMs: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, withinMs));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells whether `work`, which never rejects, is done within a time. */
export async function isDoneWithin(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  return withinTime(work, withinMs, () => new Error('not done in time')).then(
    () => true,
    () => false,
  );
}
