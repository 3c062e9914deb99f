/** Methods of a logger that messaging needs; pino's has this shape. Message text never gets here. */
export interface MessagingLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
