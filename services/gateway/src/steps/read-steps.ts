import type { TurnThoughts } from '@kith/contracts';
import type { Database } from '@kith/database';
import { z } from 'zod';
import { CallResult, StepWords, StoredCall, type KeptStep } from './step-words.js';
import { placeOf, type ThoughtCipher } from './thought-cipher.js';

/** Reads the steps of a turn in their order, with what can be decrypted of them. */
export async function readSteps(
  database: Database,
  scope: { conversationId: string } | 'system',
  cipher: ThoughtCipher,
  turnId: string,
): Promise<KeptStep[]> {
  const rows = await database.reader(scope).$queryRaw<Row[]>`
    SELECT number, model, prompt_tokens AS "promptTokens", completion_tokens AS "completionTokens", sealed, calls, at
    FROM turn_steps WHERE turn_id = ${turnId}::uuid ORDER BY number`;
  return rows.map(({ sealed, calls, ...row }) => ({
    ...row,
    words: StepWords.nullable().parse(cipher.decrypt(placeOf(turnId, row.number), sealed)),
    calls: z
      .array(StoredCall)
      .parse(calls)
      .map(({ sealed: result, ...call }, index) => ({
        ...call,
        result: CallResult.nullable().parse(
          cipher.decrypt(placeOf(turnId, row.number, index), result ?? null),
        ),
      })),
  }));
}

type Row = Omit<KeptStep, 'words' | 'calls'> & { sealed: string | null; calls: unknown };

/** Shows steps to an operator who may see them. */
export function viewSteps(steps: readonly KeptStep[]): z.output<typeof TurnThoughts> {
  return {
    steps: steps.map(({ number, at, model, words, calls }) => ({
      number,
      at: at.toISOString(),
      model,
      hasWords: words !== null,
      thought: words?.thought ?? '',
      text: words?.text ?? '',
      calls: calls.map(({ name, state, result }, index) => ({
        name,
        state,
        result: result?.content ?? null,
        arguments: words?.calls[index]?.arguments ?? {},
      })),
    })),
  };
}
