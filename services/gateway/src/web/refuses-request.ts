/** Statuses of 4xx that blame the moment rather than the request: the same one may succeed later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Tells whether an HTTP status refuses what was asked for, or leads elsewhere. Any other failure is the host's own. */
export function refusesRequest(status: number): boolean {
  return status >= 300 && status < 500 && !LATER.has(status);
}
