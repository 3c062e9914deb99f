// The process that reads one document, started by DocumentReader. A thread reads, and this one watches the memory of both,
// as no limit of V8 counts what is outside of its heap.
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DocumentFormat } from '@kith/contracts';
import type { Chunk } from './chunk-document.js';

/** A document that is to be read. */
export interface ReadingOrder {
  readonly content: string;
  readonly format: DocumentFormat;
  readonly memoryMb: number;
}

/** Outcome of a reading. */
export type DocumentReading =
  | { readonly chunks: Chunk[] }
  | { readonly refusal: { readonly message: string; readonly details: Record<string, unknown> } }
  | { readonly outOfMemory: true }
  | { readonly bug: string };

/** Time between two checks of the memory: in it a thread can take some 20 MB more. */
const CHECK_EVERY_MS = 10;

process.once('message', (order: ReadingOrder) => {
  const worker = new Worker(join(import.meta.dirname, 'reading-worker.js'), { workerData: order });
  const end = (reading: DocumentReading): void => {
    clearInterval(watch);
    // The service ends this process once it has the answer. An exit here could come before the answer is out.
    process.send?.(reading);
  };
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > order.memoryMb * 1_000_000) end({ outOfMemory: true });
  }, CHECK_EVERY_MS);
  worker.once('message', end);
  worker.once('error', (error: Error & { code?: string }) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { outOfMemory: true } : { bug: String(error.stack) }),
  );
});
// The service is gone: nobody waits for this.
process.once('disconnect', () => process.exit());
// Replies that people wait for come first.
setPriority(10);
