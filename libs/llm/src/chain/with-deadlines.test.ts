import { describe, expect, it } from '@jest/globals';
import type { StreamPart } from '../provider.js';
import { withDeadlines } from './with-deadlines.js';

const FAR_MS = 20_000;
const limits = { firstTokenMs: FAR_MS, totalMs: FAR_MS, signal: undefined };
const text = (value: string): StreamPart => ({ type: 'text', text: value });

/** A source that ignores its signal: says its parts and then hangs. */
async function* deafSource(...parts: StreamPart[]): AsyncGenerator<StreamPart> {
  yield* parts;
  await new Promise(() => undefined);
}

async function drain(stream: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('withDeadlines', () => {
  it('passes on what comes in time', async () => {
    const source = async function* () {
      yield text('a');
      yield text('b');
    };
    expect(await drain(withDeadlines(source, limits))).toEqual([text('a'), text('b')]);
  });

  it('ends a source that says nothing', async () => {
    const silent = drain(withDeadlines(() => deafSource(), { ...limits, firstTokenMs: 20 }));
    await expect(silent).rejects.toMatchObject({ kind: 'timeout', message: 'no first token within 20 ms' });
  });

  it('takes a count for no first token', async () => {
    const counted: StreamPart = { type: 'counted', usage: { promptTokens: 7, completionTokens: 0 } };
    const silent = drain(withDeadlines(() => deafSource(counted), { ...limits, firstTokenMs: 20 }));
    await expect(silent).rejects.toMatchObject({ kind: 'timeout', message: 'no first token within 20 ms' });
  });

  it('ends a source that began and never ends', async () => {
    const endless = drain(withDeadlines(() => deafSource(text('a')), { ...limits, totalMs: 30 }));
    await expect(endless).rejects.toMatchObject({ kind: 'timeout', message: 'no end within 30 ms' });
  });

  it("throws the caller's own reason when it gives up", async () => {
    const caller = new AbortController();
    const stream = withDeadlines(() => deafSource(text('a')), { ...limits, signal: caller.signal });
    await stream.next();
    const waiting = stream.next();
    caller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });

  it('tells the source when nobody reads on', async () => {
    let signal: AbortSignal | undefined;
    const stream = withDeadlines((given) => {
      signal = given;
      return deafSource(text('a'));
    }, limits);
    await stream.next();
    await stream.return(undefined);
    expect(signal?.aborted).toBe(true);
  });
});
