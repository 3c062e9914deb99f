import { currentCorrelationId } from '@kith/messaging';
import { pino, type Logger } from 'pino';
import { shownError } from './shown-error.js';

/**
 * JSON lines on standard output, each with the service and, where one is known, the correlation id.
 * People's words are never logged: callers log ids, and secrets are cut out here in case one slips in.
 */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const correlationId = currentCorrelationId();
      return correlationId ? { correlationId } : {};
    },
    serializers: { err: shownError },
    redact: ['*.apiKey', '*.keys', '*.token', '*.password', '*.authorization', 'req.headers'],
  });
}
