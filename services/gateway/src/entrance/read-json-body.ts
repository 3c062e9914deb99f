import {
  AppError,
  chatRoutes,
  documentRoutes,
  findExcess,
  loreRoutes,
  MAX_CHARACTER_BYTES,
  MAX_DOCUMENT_CHARACTERS,
  MAX_SENT_PICTURE_BYTES,
  personaRoutes,
  type Route,
} from '@kith/contracts';
import express, { type Request, type Response } from 'express';
import { countedAs, type Caller } from '../people/caller.js';
import { HeldBudget } from './held-budget.js';
import { toAppError } from './problem-details.js';

/** Largest body elsewhere: whoever has more lines to import divides them. */
const MAX_BYTES = 1024 * 1024;
/** Largest body without a key: that of a sign-in code. One that nothing is read from is no longer. */
const MAX_BYTES_WITHOUT_KEY = 10_000;
const MAX_BYTES_OF = new Map<Route, number>([
  // A document in any language: some clients write each character as \uXXXX.
  [documentRoutes.add, 6 * MAX_DOCUMENT_CHARACTERS + 10_000],
  // A character's file as base64, and what is said beside it.
  [personaRoutes.import, Math.ceil(MAX_CHARACTER_BYTES / 3) * 4 + 10_000],
  // World info of SillyTavern has a kilobyte of fields around each of its entries.
  [loreRoutes.import, MAX_CHARACTER_BYTES],
  // A message's pictures as base64, and what is said beside them.
  [chatRoutes.say, Math.ceil(MAX_SENT_PICTURE_BYTES / 3) * 4 + 100_000],
]);
/** Largest body that is not counted: a key's requests of a minute with such bodies come to a few MB. */
const SMALL_BYTES = 64 * 1024;
/** Bodies without a field, as some clients send them with every request; spaces and line breaks aside. */
const EMPTY_BODIES: readonly string[] = ['', '{}', '[]', '""', 'null'];
/** Bytes a second that a body is to arrive with: those of a slow line, not of a client that holds it back. */
const MIN_BYTES_A_SECOND = 50_000;
/** Time that a body may be behind that. */
const MAX_BEHIND_S = 30;
/** Bytes of larger bodies that are on their way: two of the largest of one caller, and a dozen of all. */
const arriving = new HeldBudget(
  'other large requests with this key are still being sent; try again when they are through',
  2 * Math.max(...MAX_BYTES_OF.values()),
  100_000_000,
);

/**
 * Reads the body of a request after its caller was let in, so that nothing is read or parsed for strangers. Nothing is
 * unpacked for anybody: a few kB sent would hold the largest body's bytes.
 * @returns its JSON; undefined where there is none
 * @throws AppError `invalid_request` where its route reads none, or it is too large, too deep, too many values, no JSON,
 * sent as another type, or too slow to arrive
 * @throws AppError `rate_limited` or `unavailable` while too many large ones are on their way
 */
export async function readJsonBody(
  route: Route,
  request: Request,
  response: Response,
  caller: Caller | undefined,
): Promise<unknown> {
  if (!route.body) {
    if (route.method !== 'GET') await refuseFields(request, response);
    return undefined;
  }
  const limit = route.scope === 'no-key' ? MAX_BYTES_WITHOUT_KEY : (MAX_BYTES_OF.get(route) ?? MAX_BYTES);
  const bytesToCome = countBytesToCome(request, limit);
  const giveBack =
    caller && bytesToCome > SMALL_BYTES ? arriving.take(countedAs(caller), bytesToCome) : undefined;
  // Also when the client leaves in the middle, which ends the reading.
  const options = { limit, type: 'application/json' };
  const bytes = await readBytes(options, request, response).finally(giveBack);
  if (!Buffer.isBuffer(bytes)) {
    if (!sendsAnything(request)) return undefined;
    // As `curl -d` sends it, unless it is told the type.
    const message = 'send the body as JSON, with the header Content-Type: application/json';
    throw new AppError('invalid_request', message, { field: 'body' });
  }
  if (bytes.length === 0) return undefined;
  const excess = findExcess(bytes);
  if (excess !== null) throw new AppError('invalid_request', `the body ${excess}`, { field: 'body' });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new AppError('invalid_request', 'the body is not valid JSON', { field: 'body' }, { cause });
  }
}

/**
 * Refuses fields in a body, of any type, that its route does not read: without its place, the rule to take back would be
 * another one.
 */
async function refuseFields(request: Request, response: Response): Promise<void> {
  const options = { limit: MAX_BYTES_WITHOUT_KEY, type: () => true };
  const bytes = await readBytes(options, request, response);
  if (!Buffer.isBuffer(bytes) || EMPTY_BODIES.includes(bytes.toString().replaceAll(/\s/g, ''))) return;
  const message = 'nothing is read from a body here: name it in the address';
  throw new AppError('invalid_request', message, { field: 'body' });
}

/** Reads the bytes of a body sent as this type; undefined of any other. */
async function readBytes(
  options: { limit: number; type: string | (() => boolean) },
  request: Request,
  response: Response,
): Promise<unknown> {
  let watch: NodeJS.Timeout | undefined;
  const read = new Promise<void>((resolve, reject) => {
    watch = watchArrival(request, () => {
      // Otherwise Node would wait for the rest and read it.
      response.setHeader('Connection', 'close');
      reject(toAppError({ status: 408 }));
    });
    // Express's request is Node's own, with more to it: it sets the prototype, and calls no constructor.
    // oxlint-disable-next-line typescript/no-unsafe-assignment
    express.raw({ ...options, inflate: false })(request, response, (error?: unknown) => {
      if (error) reject(toAppError(error));
      else resolve();
    });
  });
  await read.finally(() => clearInterval(watch));
  const bytes = request.body as unknown;
  // A request may wait for a minute, and its bytes would be in memory with it.
  request.body = undefined;
  return bytes;
}

/** Checks every second how far a body is behind, until the timer is cleared. */
function watchArrival({ socket }: Request, onTooSlow: () => void): NodeJS.Timeout {
  let arrived = socket.bytesRead;
  let behind = 0;
  return setInterval(() => {
    behind = Math.max(0, behind + MIN_BYTES_A_SECOND - (socket.bytesRead - arrived));
    arrived = socket.bytesRead;
    if (behind > MAX_BEHIND_S * MIN_BYTES_A_SECOND) onTooSlow();
  }, 1_000);
}

/** Counts the bytes of a body that may be in memory. One whose length is above the limit is refused unread. */
function countBytesToCome({ headers }: Request, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(headers['content-length'] ?? 0);
  return length > limit ? 0 : length;
}

function sendsAnything({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
