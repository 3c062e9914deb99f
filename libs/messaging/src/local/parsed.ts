import type { z } from 'zod';
import { parseOrThrow } from '../wire-errors.js';

/** A payload that its contract has parsed already: between services of one process it is not parsed again. */
export class Parsed {
  constructor(readonly value: unknown) {}
}

/** Parses the payload of a handler, unless it comes from a service of this process. */
export function parsedOnce<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  what: string,
): z.output<Schema> {
  if (payload instanceof Parsed) return payload.value as z.output<Schema>;
  return parseOrThrow(schema, payload, 'invalid_request', what);
}
