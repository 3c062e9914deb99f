/** Thrown by a job's method that can't go on yet: the job comes again after this time, and no try was used up. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  constructor(readonly delayMs: number) {
    super(`comes again in ${delayMs} ms`);
  }
}
