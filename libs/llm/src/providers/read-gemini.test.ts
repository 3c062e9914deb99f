import { FinishReason, type GenerateContentResponse } from '@google/genai';
import { describe, expect, it } from '@jest/globals';
import type { StreamPart } from '../provider.js';
import { readGemini } from './read-gemini.js';

/** Last part of an answer that ended for this reason. */
async function endOf(finishReason: FinishReason): Promise<StreamPart | undefined> {
  const source = async function* () {
    const candidates = [{ content: { parts: [{ text: 'So far' }] }, finishReason }];
    yield { candidates } as GenerateContentResponse;
  };
  let last: StreamPart | undefined;
  for await (last of readGemini(source()));
  return last;
}

const { STOP, OTHER, LANGUAGE, FINISH_REASON_UNSPECIFIED, MAX_TOKENS, SAFETY, RECITATION } = FinishReason;
const { BLOCKLIST, PROHIBITED_CONTENT, SPII, IMAGE_SAFETY, CONTINUATION } = FinishReason;

describe('an end of Gemini', () => {
  it.each([
    ['stop', [STOP, OTHER, LANGUAGE, FINISH_REASON_UNSPECIFIED]],
    ['length', [MAX_TOKENS, CONTINUATION]],
    ['filtered', [SAFETY, RECITATION, BLOCKLIST, PROHIBITED_CONTENT, SPII, IMAGE_SAFETY]],
  ] as const)('is %s where it says %j', async (finishReason, said) => {
    for (const reason of said) expect(await endOf(reason)).toMatchObject({ type: 'end', finishReason });
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL'] as const)(
    'is none that can be used where it says %s',
    async (reason) => {
      await expect(endOf(FinishReason[reason])).rejects.toMatchObject({ kind: 'garbled' });
    },
  );
});
