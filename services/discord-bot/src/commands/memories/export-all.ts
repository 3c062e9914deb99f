import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer, Command } from '../command.js';
import { newestMemories } from './own-memories.js';

const compressed = promisify(gzip);

/** Gives the person every memory of theirs as a line of JSON. */
export const exportAll: Command = {
  name: 'export',
  description: 'Everything that is kept about you, as a file',
  run: async (context, { attachmentSizeLimit }) => {
    const { memories } = await newestMemories(context, Number.POSITIVE_INFINITY, { asKept: true });
    const lines = memories.map((memory) => `${JSON.stringify(memory)}\n`).join('');
    return exportAnswer(Buffer.from(lines), attachmentSizeLimit);
  },
};

/**
 * Answers with what is kept as a file, compressed where Discord would not take it otherwise.
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
  return { content: 'Everything that is kept about you:', files: [file] };
}
