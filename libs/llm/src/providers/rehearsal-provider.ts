import { setTimeout as sleep } from 'node:timers/promises';
import { textOf, type ChatMessage } from '../messages.js';
import type { ModelProvider, StreamPart } from '../provider.js';
import { answerWithoutWords } from '../rehearsal/answer-without-words.js';
import { composeReply } from '../rehearsal/compose-reply.js';
import { readPrompt } from '../rehearsal/read-prompt.js';

// A brisk typist's pace: one sees that it streams, and a reply still takes well under a second.
const WORD_MS = 8;

/**
 * The offline stand-in: no model, but templates filled from the same explicit messages that any model gets, so
 * that recall, mood and streaming can be seen without a key. Deterministic by the messages.
 */
export function rehearsalProvider(): ModelProvider {
  return {
    name: 'rehearsal',
    list: () => Promise.resolve([]),
    async *stream({ messages, signal }): AsyncGenerator<StreamPart> {
      const reply = rehearse(messages);
      for (const word of reply.split(/(?<=\S)(?=\s)/)) {
        signal.throwIfAborted();
        yield { type: 'text', text: word };
        await sleep(WORD_MS);
      }
      yield { type: 'end', finishReason: 'stop', usage: null };
    },
  };
}

/** The whole reply at once. */
export function rehearse(messages: readonly ChatMessage[]): string {
  const prompt = readPrompt(messages);
  return answerWithoutWords(prompt.said) ?? composeReply(prompt, hashOf(messages));
}

/** FNV-1a, 32 bits, over roles and texts. */
function hashOf(messages: readonly ChatMessage[]): number {
  let hash = 0x811c9dc5;
  for (const { role, content } of messages) {
    const line = `${role}:${textOf(content)}\n`;
    for (let index = 0; index < line.length; index++) {
      hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193);
    }
  }
  return hash >>> 0;
}
