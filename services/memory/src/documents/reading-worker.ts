// The thread that reads one document: see reading-process.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@kith/contracts/app-error';
import { readDocument } from './read-document.js';
import type { DocumentReading, ReadingOrder } from './reading-process.js';

const { content, format } = workerData as ReadingOrder;
const reading: DocumentReading = await readDocument(content, format).then(
  (chunks) => ({ chunks }),
  (error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return { refusal: { message: error.message, details: error.details ?? {} } };
  },
);
parentPort?.postMessage(reading);
