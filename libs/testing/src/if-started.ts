/** Types what a `beforeAll` makes as undefined too: where it failed, `afterAll` still has the rest to end. */
export function ifStarted<T>(made: T): T | undefined {
  return made;
}
