import { randomUUID } from 'node:crypto';
import {
  type ForgetNamed,
  type ForgetResult,
  memoryContract,
  type gatewayContract,
  type RequestOutput,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { linesOf } from '../redaction/choose-lines.js';
import type { TranscriptRedactor } from '../redaction/transcript-redactor.js';

/** Result of an order that removes nothing. */
export const NOTHING: ForgetResult = {
  ...{ rows: 0, points: 0, receipt: null, undoUntil: null, memories: [], lines: 0, talk: [] },
};

/** Shows what an order would remove, without removing it. */
export async function previewForget(
  messenger: Pick<Messenger, 'ask'>,
  transcript: Pick<TranscriptRedactor, 'preview'>,
  asked: RequestOutput<typeof gatewayContract.forget>,
  what: ForgetNamed,
): Promise<ForgetResult> {
  const { personId, companionId = null, keepTalk } = asked;
  const { rows, memories, sources } = await messenger.ask(memoryContract.forget, {
    ...{ orderId: randomUUID(), personId, companionId, what, undoUntil: null, preview: true },
  });
  const talk = keepTalk
    ? { lines: 0, talk: [] }
    : await transcript.preview({ personId, companionId, what: linesOf(what, sources, new Date()) });
  return { ...NOTHING, rows, memories, ...talk };
}
