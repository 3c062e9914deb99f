// A process that reads one document and ends. The reading is done by a thread; this one watches over the memory of
// both, since no limit of V8 counts what lies outside of its heap. Started by DocumentReader.
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

/** An outcome: chunks, a reason to refuse, or that reading went beyond its memory. */
export type Reading =
  | { readonly chunks: Chunk[] }
  | { readonly refusal: { readonly message: string; readonly details: Record<string, unknown> } }
  | { readonly outOfMemory: true }
  | { readonly bug: string };

/** A thread that allocates as fast as it can takes some 20 MB more between two looks. */
const LOOK_EVERY_MS = 10;

process.once('message', (order: ReadingOrder) => {
  const worker = new Worker(join(import.meta.dirname, 'reading-worker.js'), { workerData: order });
  const end = (reading: Reading): void => {
    clearInterval(watch);
    // The service ends this process once it has the answer: an exit from here could overtake it.
    process.send?.(reading);
  };
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > order.memoryMb * 1_000_000) end({ outOfMemory: true });
  }, LOOK_EVERY_MS);
  worker.once('message', end);
  worker.once('error', (error: Error & { code?: string }) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { outOfMemory: true } : { bug: String(error.stack) }),
  );
});
// The service is gone: nobody waits for this.
process.once('disconnect', () => process.exit());
// Those who wait for an answer come first.
setPriority(10);
