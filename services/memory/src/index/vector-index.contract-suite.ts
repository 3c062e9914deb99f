import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { describePointUpkeep } from './contract-suite/describe-point-upkeep.js';
import { describeRanking } from './contract-suite/describe-ranking.js';
import { describeScopes } from './contract-suite/describe-scopes.js';
import { indexBench, type IndexBench, type IndexUnderTest } from './contract-suite/index-bench.js';

/** Tests the promises of every `VectorIndex`, whatever holds its points. */
export function describeVectorIndex(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(`the vector index on ${name}`, () => {
    let under: IndexUnderTest;
    let bench: IndexBench;

    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());
    beforeEach(async () => {
      bench = await indexBench(under);
    });

    describeRanking(() => bench);
    describeScopes(() => bench);
    describePointUpkeep(() => bench);
  });
}
