import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { coreRecordOf, memoryContract, memoryRecordOf } from '@kith/contracts';
import type { Answer, Command } from '../command.js';
import { newestMemories } from './own-memories.js';

const compressed = promisify(gzip);

/** Gives the person every memory of theirs, and core memory, in lines that `kith memories import` takes. */
export const exportAll: Command = {
  name: 'export',
  description: 'What I remember of you, as a file',
  run: async (context, { attachmentSizeLimit }) => {
    const { messenger, personId, companionId } = context;
    const [{ memories }, { blocks }] = await Promise.all([
      newestMemories(context, Number.POSITIVE_INFINITY, { asKept: true }),
      messenger.ask(memoryContract.core, { personId, companionId, audience: null }),
    ]);
    const records = [
      ...memories.map((memory) => memoryRecordOf(companionId, memory)),
      ...blocks.map((block) => coreRecordOf(companionId, block)),
    ];
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    return exportAnswer(Buffer.from(lines), attachmentSizeLimit);
  },
};

/**
 * Answers with the export as a file, compressed if Discord would not take it otherwise.
 * @param limit most bytes that Discord takes where it is asked
 */
export async function exportAnswer(kept: Buffer, limit: number): Promise<Answer> {
  if (kept.length <= limit) return answerWith({ attachment: kept, name: 'memories.jsonl' });
  const small = await compressed(kept);
  if (small.length <= limit) return answerWith({ attachment: small, name: 'memories.jsonl.gz' });
  return {
    content:
      'More is kept about you than Discord lets me send. Ask whoever runs me for an export: `kith memories export` has no such limit.',
  };
}

function answerWith(file: { attachment: Buffer; name: string }): Answer {
  return {
    content:
      'Every memory of you that I have, and what I keep in mind of you all the time, between us or in a channel, as lines for `kith memories import`; your tasks are in `/companion tasks`, and our talk, moods and settings are not in it.',
    files: [file],
  };
}
