import { randomUUID } from 'node:crypto';
import {
  AppError,
  type ForgetNamed,
  type ForgetResult,
  memoryContract,
  type gatewayContract,
  type RequestOutput,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { linesOf } from '../redaction/choose-lines.js';
import type { TranscriptRedactor } from '../redaction/transcript-redactor.js';

type ForgetRequest = RequestOutput<typeof gatewayContract.forget>;

/**
 * Names what a person asks to forget, so that an order holds no words of a query; null where that finds nothing.
 * @throws AppError `invalid_request` for a query without a companion
 */
export async function nameForgotten(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId, what }: ForgetRequest,
  now: number,
): Promise<ForgetNamed | null> {
  // So that an order that is carried out late removes nothing said since. The end of a period is exclusive; this
  // millisecond is meant.
  if (what.kind === 'period')
    return { ...what, to: new Date(Math.min(Date.parse(what.to), now + 1)).toISOString() };
  if (what.kind !== 'query') return what;
  if (companionId === undefined) {
    throw new AppError('invalid_request', 'name the companion whose memories to search', {
      field: 'companion',
    });
  }
  const { query } = what;
  const { ids } = await messenger.ask(memoryContract.findToForget, { personId, companionId, query });
  return ids.length === 0 ? null : { kind: 'ids', ids };
}

/** Result of an order that removes nothing. */
export const NOTHING: ForgetResult = {
  rows: 0,
  points: 0,
  receipt: null,
  undoUntil: null,
  memories: [],
  lines: 0,
  talk: [],
};

/** Shows what an order would remove, without removing it. */
export async function previewForget(
  messenger: Pick<Messenger, 'ask'>,
  transcript: Pick<TranscriptRedactor, 'preview'>,
  asked: ForgetRequest,
  what: ForgetNamed,
): Promise<ForgetResult> {
  const { personId, companionId = null, keepTalk } = asked;
  const { rows, memories, sources, memoryIds } = await messenger.ask(memoryContract.forget, {
    orderId: randomUUID(),
    personId,
    companionId,
    what,
    keepTalk,
    undoUntil: null,
    preview: true,
  });
  const talk = keepTalk
    ? { lines: 0, talk: [] }
    : await transcript.preview(
        { personId, companionId, what: linesOf(what, sources, new Date()) },
        { memoryIds, sources },
      );
  return { ...NOTHING, rows, memories, ...talk };
}
