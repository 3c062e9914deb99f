/** Waits for what a measurement needs. Where that fails, says why in one line and ends the process. */
export async function orExit<T>(needed: Promise<T>): Promise<T> {
  return needed.catch((error: unknown) => {
    console.error((error as Error).message);
    process.exit(2);
  });
}

/** Reads an option that is a whole number. For anything else it says so in one line and ends the process. */
export function readNumber(name: string, given: string, least = 1): number {
  const value = Number(given);
  if (Number.isInteger(value) && value >= least) return value;
  console.error(`--${name} is a whole number from ${least} on`);
  process.exit(2);
}
