import { describe, expect, it } from '@jest/globals';
import type { ModelRole, RoleEvent } from '@kith/llm';
import { ReplyWriter } from './reply-writer.js';

/** Plays a model that sends all of its answer at once. */
function roleOf(events: (note: (what: string) => void) => Iterable<RoleEvent>, told: string[]): ModelRole {
  return {
    stream: async function* () {
      yield* events((what) => told.push(what));
    },
  } as unknown as ModelRole;
}

describe('ReplyWriter', () => {
  it('lets the first words be written before it reads the rest', async () => {
    const told: string[] = [];
    const role = roleOf(function* (note) {
      // A word is held until it is known not to become an address.
      yield { type: 'text', text: 'Good' };
      note('read on');
      yield { type: 'text', text: ' morning, ' };
      note('read the rest');
      yield { type: 'end', result: { text: 'Good morning, ', finishReason: 'stop' } } as unknown as RoleEvent;
    }, told);
    const listener = {
      onToken: (text: string) => void setImmediate(() => told.push(`wrote ${text}`)),
      onRestart: () => undefined,
    };
    const writer = new ReplyWriter(role, [], listener);
    expect((await writer.ask({ messages: [], maxTokens: 10 })).text).toBe('Good morning,');
    expect(told).toEqual(['read on', 'wrote Good morning, ', 'read the rest']);
  });
});
