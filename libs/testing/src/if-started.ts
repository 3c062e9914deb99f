/** Gives what a `beforeAll` has made; undefined where it failed before, so that an `afterAll` goes on to end the rest. */
export function ifStarted<T>(made: T): T | undefined {
  return made;
}
