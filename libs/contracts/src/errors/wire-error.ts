import { z } from 'zod';
import { ERROR_CODES } from './app-error.js';

/** Code of an error, as it is read from outside. Apart from the error itself, which threads throw without any schema. */
export const ErrorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** Parts of an error that cross between services: never classes, never stacks. */
export const WireError = z.object({
  code: ErrorCode,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type WireError = z.infer<typeof WireError>;
