import { describe, expect, it } from '@jest/globals';
import { first, second, FIRST, SECOND, chain, request, collect } from './chain-of-two.js';

/** Tests which models of a chain are asked, and for how long. */
export function tries(): void {
  describe('a chain of models', () => {
    it('lets the first one answer', async () => {
      const reply = await chain().complete(request);
      expect(reply).toMatchObject({
        text: 'The first one speaks.',
        model: FIRST,
        finishReason: 'stop',
        usage: { promptTokens: 2, completionTokens: 6 },
        usageIsEstimated: false,
        tries: [{ model: FIRST, kind: 'answered', tookMs: expect.any(Number) }],
      });
      expect(second.requests).toEqual([]);
    });

    it.each([FIRST, SECOND, 'gemini:three'])('says the same whole and streamed by %s', async (model) => {
      const role = chain({ chatModels: model });
      const whole = await role.complete(request);
      const events = await collect(role.stream(request));
      const end = events.at(-1);
      expect(whole).toMatchObject({ model, usage: { promptTokens: 2, completionTokens: 6 } });
      expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(whole.text);
      expect(end).toMatchObject({ type: 'end', result: { text: whole.text, usage: whole.usage } });
    });

    it.each([
      ['spend-limit', { kind: 'spend-limit' }, 1],
      ['invalid-request', { kind: 'status', status: 400 }, 1],
      ['overloaded', { kind: 'status', status: 503 }, 3],
      ['rate-limited', { kind: 'rate-limit', retryAfterSeconds: 60 }, 1],
      ['empty', { kind: 'empty' }, 2],
      ['empty', { kind: 'reply', reply: { text: ' \0\0 ' } }, 2],
      ['garbled', { kind: 'garbage' }, 2],
      ['garbled', { kind: 'huge', characters: 1_000_000 }, 2],
      ['cut-stream', { kind: 'cut', afterPieces: 1 }, 2],
    ] as const)('goes on to the next one after %s from %j', async (kind, behaviour, tries) => {
      first.always(behaviour);
      const reply = await chain().complete(request);
      expect(reply.text).toBe('The second one speaks.');
      expect(reply.model).toBe(SECOND);
      expect(reply.tries.map((one) => [one.model, one.kind])).toEqual([
        ...Array.from({ length: tries }, () => [FIRST, kind]),
        [SECOND, 'answered'],
      ]);
      expect(first.requests).toHaveLength(tries);
    });

    it.each([
      ['no first token', { firstTokenTimeoutMs: 1_500 }, { kind: 'hang' }],
      ['no end', { tryTimeoutMs: 1_500 }, { kind: 'slow', pieceMs: 1_000 }],
    ] as const)('goes on to the next one when there is %s in time', async (_, limits, behaviour) => {
      first.next(behaviour);
      const { tries, text } = await chain(limits).complete(request);
      expect(text).toBe('The second one speaks.');
      expect(tries.map(({ kind }) => kind)).toEqual(['timeout', 'answered']);
    });

    it('sends no half of a character that a cut has left', async () => {
      const tools = [{ name: 'look', description: 'Looks. \ud83d', parameters: { type: 'object' } }];
      await chain().complete({ messages: [{ role: 'user', content: 'Hello \ud83d' }], tools });
      expect(first.requests[0]!.messages.at(-1)!.text).toBe('Hello \ufffd');
    });

    it('waits as long as a rate limit says, and asks again', async () => {
      first.next({ kind: 'rate-limit', retryAfterSeconds: 0.3 });
      const started = performance.now();
      const { model } = await chain().complete(request);
      expect(model).toBe(FIRST);
      // Timers may fire a millisecond early by the monotonic clock.
      expect(performance.now() - started).toBeGreaterThanOrEqual(299);
    });

    it('fails with its tries when all fail, and never rehearses instead', async () => {
      first.always({ kind: 'spend-limit' });
      second.always({ kind: 'status', status: 401 });
      await expect(chain().complete(request)).rejects.toMatchObject({
        name: 'ModelChainError',
        message: `no chat model answered: ${FIRST} spend-limit, ${SECOND} unauthorized`,
        tries: [
          { model: FIRST, kind: 'spend-limit' },
          { model: SECOND, kind: 'unauthorized' },
        ],
      });
    });

    it('stays within its budget', async () => {
      first.always({ kind: 'hang' });
      second.always({ kind: 'hang' });
      const started = performance.now();
      await expect(chain({ budgetMs: 400 }).complete(request)).rejects.toMatchObject({
        tries: [{ model: FIRST, kind: 'timeout' }],
      });
      expect(performance.now() - started).toBeLessThan(3_000);
    });

    it("ends with the caller's reason, without another try", async () => {
      first.next({ kind: 'hang' });
      const caller = new AbortController();
      const waiting = chain().complete({ ...request, signal: caller.signal });
      setTimeout(() => caller.abort(new Error('the person left')), 50);
      await expect(waiting).rejects.toThrow('the person left');
      expect(second.requests).toEqual([]);
    });

    it('marks usage as its own estimate where the host does not count', async () => {
      const rehearsal = chain({ chatModels: 'rehearsal' });
      expect(await rehearsal.complete(request)).toMatchObject({
        model: 'rehearsal',
        usage: { promptTokens: 2, completionTokens: expect.any(Number) },
        usageIsEstimated: true,
      });
    });

    it('asks each model that may be well before it asks one again for the last tries', async () => {
      const away = 'http://127.0.0.1:1/v1';
      const compatible = { hosts: { away, gone: away, well: `${first.url}/v1` } };
      const role = chain({ chatModels: 'away:m,gone:m,well:m', maxTries: 4, compatible });
      const { tries } = await role.complete(request);
      expect(tries.map(({ model, kind }) => `${model} ${kind}`)).toEqual([
        'away:m unreachable',
        'away:m unreachable',
        'gone:m unreachable',
        'well:m answered',
      ]);
    });
  });
}
