import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { completeJson } from '../../complete-json.js';
import type { ModelRole } from '../model-role.js';
import { first, chain } from './chain-of-two.js';

/** Tests answers that are to be JSON. */
export function completeJsonOfModels(): void {
  describe('completeJson', () => {
    const Mood = z.object({ mood: z.enum(['good', 'bad']), strength: z.number() });
    const ask = (role: ModelRole) =>
      completeJson(role, { system: 'Read the mood.', user: 'Hello' }, Mood, { maxTokens: 100 });

    it.each([
      '{"mood":"good","strength":0.5}',
      'Sure!\n```json\n{"mood":"good","strength":0.5}\n```\nAnything else?',
      'Here: {"mood":"good","strength":0.5} — done.',
    ])('reads %j', async (answer) => {
      const role = chain();
      first.replyWith(() => answer);
      expect(await ask(role)).toEqual({ mood: 'good', strength: 0.5 });
      expect(first.requests).toHaveLength(1);
    });

    it('says what was wrong, and takes the mended answer', async () => {
      const role = chain();
      first.next({ kind: 'reply', reply: '{"mood":"fine"}' });
      first.replyWith(() => '{"mood":"bad","strength":1}');
      expect(await ask(role)).toEqual({ mood: 'bad', strength: 1 });
      expect(first.requests[1]?.messages.slice(-2)).toEqual([
        { role: 'assistant', text: '{"mood":"fine"}' },
        { role: 'user', text: expect.stringMatching(/mood: .*strength: /) },
      ]);
    });

    it('reads nothing that no store can hold', async () => {
      const role = chain();
      const Note = z.object({ text: z.string().max(3), of: z.array(z.string()) });
      first.replyWith(() => JSON.stringify({ text: 'a\0b\ud800', of: ['\0'] }));
      const note = await completeJson(role, { system: 'Note it.', user: 'Hello' }, Note, { maxTokens: 100 });
      expect(note).toEqual({ text: 'ab\ufffd', of: [''] });
    });

    it('gives up on a model that answers wrongly twice', async () => {
      const role = chain();
      first.replyWith(() => 'I feel great');
      await expect(ask(role)).rejects.toMatchObject({ name: 'ModelError', kind: 'garbled' });
      expect(first.requests).toHaveLength(2);
    });
  });
}
