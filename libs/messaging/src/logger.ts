import { Logger } from '@nestjs/common';

/** Methods of a logger that messaging needs; pino's has this shape. Message text never gets here. */
export interface MessagingLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes through Nest's logger, for whoever gives none. */
export function nestLogger(): MessagingLogger {
  const logger = new Logger('messaging');
  const line = (fields: object, message: string) => `${message} ${JSON.stringify(fields, plainError)}`;
  return {
    debug: (fields, message) => logger.debug(line(fields, message)),
    info: (fields, message) => logger.log(line(fields, message)),
    warn: (fields, message) => logger.warn(line(fields, message)),
    error: (fields, message) => logger.error(line(fields, message)),
  };
}

// JSON.stringify turns an Error into {}.
function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
