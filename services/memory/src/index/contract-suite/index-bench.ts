import { randomUUID } from 'node:crypto';
import type { EmbeddingSpace } from '@kith/contracts';
import type { MemoryScope } from '../../rows/memory-scope.js';
import { analyseText } from '../../words/analyse-text.js';
import type { IndexPoint, VectorIndex } from '../vector-index.js';

/** An adapter under test, and a second one on the same store, as another replica has it. */
export interface IndexUnderTest {
  index: VectorIndex;
  replica: VectorIndex;
  /** A store that is out of reach. */
  unreachable: VectorIndex;
  close(): Promise<void>;
}

/** A test's own space and people in the index under test. */
export interface IndexBench extends Omit<IndexUnderTest, 'close'> {
  space: EmbeddingSpace;
  ann: MemoryScope;
  bob: MemoryScope;
  search: (
    owner: MemoryScope,
    text: string,
    vector: Float32Array | null,
    limit?: number,
  ) => ReturnType<VectorIndex['candidates']>;
}

/** Makes a new space and new people, which keeps tests apart without emptying the store. */
export async function indexBench(under: IndexUnderTest): Promise<IndexBench> {
  const space: EmbeddingSpace = { id: `test-${randomUUID()}`, dimensions: 3, kind: 'lexical' };
  const ann: MemoryScope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
  const bob = { ...ann, personId: randomUUID() };
  await under.index.ensureSpace(space);
  return {
    ...under,
    space,
    ann,
    bob,
    search: (owner, text, vector, limit = 10) =>
      under.index.candidates(space.id, owner, { vector, terms: analyseText(text), limit, kind: space.kind }),
  };
}

export function unit(...values: number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

export function point(owner: MemoryScope, text: string, vector: Float32Array): IndexPoint {
  return {
    id: randomUUID(),
    ...owner,
    vector,
    terms: analyseText(text),
    conversation: null,
    saidAt: new Date(0),
    digest: text,
  };
}

/** Makes lines of one conversation, a minute apart. */
export function talk(owner: MemoryScope, ...texts: string[]): IndexPoint[] {
  const conversation = randomUUID();
  return texts.map((text, minute) => ({
    ...point(owner, text, unit(1, 0, 0)),
    conversation,
    saidAt: new Date(minute * 60_000),
  }));
}

export function ids(found: readonly { id: string }[]): string[] {
  return found.map(({ id }) => id);
}
