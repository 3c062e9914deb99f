/** Redis understood and refused, as opposed to: was not reached. */
export function isReplyError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

// ioredis has no class for these: a system error's code, or one of its own sentences.
const CONNECTION_TROUBLE =
  /Connection is closed|connection close|isn't writeable|not connected|no reply from Redis|Socket timeout/;

/** Tells whether an error is of the connection and not of the command. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'MaxRetriesPerRequestError' || 'syscall' in error || CONNECTION_TROUBLE.test(error.message)
  );
}
