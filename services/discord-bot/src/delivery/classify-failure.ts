/** What became of a send that threw. `unreachable`: this person can't be written to, so stop trying to. */
export type SendFailure =
  { kind: 'failed'; reason: string; unreachable: boolean } | { kind: 'retry'; reason: string };

// Cannot DM; no mutual guild; opening DMs too fast, which Discord answers with a ban if one goes on.
const UNREACHABLE_CODES: ReadonlySet<unknown> = new Set([50007, 50278, 40003]);
// Missing access; missing permissions: an operator has to act, a retry won't help.
const FORBIDDEN_CODES: ReadonlySet<unknown> = new Set([50001, 50013]);

/**
 * Reads an error of discord.js's REST client. Never passes the error itself on: it carries the message's
 * text. A 401 is tried again, since the token is the operator's to mend and the reply can wait for it.
 */
export function classifyFailure(error: unknown): SendFailure {
  const { status, code } = readError(error);
  const reason = describe(error, status, code);
  if (UNREACHABLE_CODES.has(code)) return { kind: 'failed', reason, unreachable: true };
  if (FORBIDDEN_CODES.has(code)) return { kind: 'failed', reason, unreachable: false };
  if (status === undefined || status === 401 || status === 408 || status === 429 || status >= 500)
    return { kind: 'retry', reason };
  return { kind: 'failed', reason, unreachable: false };
}

function readError(error: unknown): { status: number | undefined; code: unknown } {
  if (typeof error !== 'object' || error === null) return { status: undefined, code: undefined };
  const { status, code } = error as { status?: unknown; code?: unknown };
  return { status: typeof status === 'number' ? status : undefined, code };
}

/** Discord's own sentence for its codes; for anything else the kind of error alone. */
function describe(error: unknown, status: number | undefined, code: unknown): string {
  if (status !== undefined && typeof code === 'number' && error instanceof Error)
    return `Discord ${status}/${code}: ${error.message.split('\n')[0] ?? ''}`.slice(0, 200);
  if (status !== undefined) return `Discord ${status}`;
  const name = error instanceof Error ? error.name : 'unknown error';
  return `Discord is out of reach: ${name}${typeof code === 'string' ? ` ${code}` : ''}`;
}
