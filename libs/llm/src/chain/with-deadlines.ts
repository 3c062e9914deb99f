import { ModelError } from '../errors/model-error.js';
import type { StreamPart } from '../provider.js';

/** Reason that ends whatever a try left open, as SDKs know it. One for all: each would be made anew, with its stack. */
const OVER = new DOMException('the try is over', 'AbortError');

export interface Deadlines {
  firstTokenMs: number;
  totalMs: number;
  /** The caller's own. */
  signal: AbortSignal | undefined;
}

/**
 * Reads a try's stream, and ends it when its first token or its end is late, when the caller gives up, or when
 * nobody reads on. Holds also for a source that ignores its signal.
 */
export async function* withDeadlines(
  open: (signal: AbortSignal) => AsyncIterable<StreamPart>,
  { firstTokenMs, totalMs, signal }: Deadlines,
): AsyncGenerator<StreamPart> {
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  ended.catch(() => undefined); // raced below, and not always awaited
  const onAbort = () => controller.abort(signal?.reason);
  const late = (what: string, ms: number) => () =>
    controller.abort(new ModelError('timeout', `no ${what} within ${ms} ms`));
  const firstTimer = setTimeout(late('first token', firstTokenMs), firstTokenMs);
  const totalTimer = setTimeout(late('end', totalMs), totalMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  let source: AsyncIterator<StreamPart> | undefined;
  try {
    controller.signal.throwIfAborted();
    source = open(controller.signal)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([source.next(), ended]);
      // An SDK may end its stream quietly when aborted.
      controller.signal.throwIfAborted();
      if (next.done) return;
      if (next.value.type !== 'counted') clearTimeout(firstTimer);
      yield next.value;
    }
  } finally {
    clearTimeout(firstTimer);
    clearTimeout(totalTimer);
    signal?.removeEventListener('abort', onAbort);
    controller.abort(OVER);
    // Not awaited: a source that hangs would hold the caller too.
    void source?.return?.().catch(() => undefined);
  }
}
