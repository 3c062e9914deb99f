import { describe, expect, it } from '@jest/globals';
import { describeOrigin } from './describe-memory.js';

describe('describeOrigin', () => {
  it.each([
    ['fact', 'person', 'direct', 'a fact, in your words · said between you two'],
    ['knowledge', 'import', 'direct', 'from a document, imported · kept between you two'],
    ['reflection', 'model', 'channel:discord:42', 'a reflection · said in a Discord channel'],
  ] as const)('names the sort, the words and the place of a %s', (kind, writer, audience, words) => {
    expect(describeOrigin({ kind, writer, audience })).toBe(words);
  });
});
