/**
 * Jest's names, as tests import them from `@jest/globals`. Each file has a framework of its own, and a helper may have been
 * loaded for another file: these names follow.
 */
export let describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect, jest;

/** Says what the names stand for, for the file that is about to be loaded. */
export function setTestApi(api) {
  ({ describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect, jest } = api);
}
