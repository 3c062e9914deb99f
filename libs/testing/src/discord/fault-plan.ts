/** Fault a test can make Discord commit, and how often. */

export interface RequestMatch {
  method?: string;
  /** Tested against the path without `/api/v10`. */
  path?: RegExp;
  /** Number of matching requests it hits; one by default. */
  times?: number;
  /** Number of matching requests that get through before; none by default. */
  after?: number;
  /** Only what carries a nonce for the first time: not the tries that follow. */
  firstOfNonce?: boolean;
}

export interface RateLimitFault extends RequestMatch {
  retryAfterMs: number;
  global?: boolean;
}

export interface ErrorFault extends RequestMatch {
  status: number;
  /** Carries out the request all the same. */
  isDone?: boolean;
  /** Discord's own code, such as 50007. */
  code?: number;
  message?: string;
}

export type Fault =
  | { kind: 'rate-limit'; match: RateLimitFault }
  | { kind: 'error'; match: ErrorFault }
  /** Ends the socket before the answer; what was asked for is done. */
  | { kind: 'lost-answer'; match: RequestMatch };

interface ArmedFault {
  fault: Fault;
  left: number;
  spared: number;
}

/** Faults in the order in which they were armed; the first that matches a request is used up by one. */
export class FaultPlan {
  private armed: ArmedFault[] = [];
  private readonly nonces = new Set<string>();

  arm(fault: Fault): void {
    this.armed.push({ fault, left: fault.match.times ?? 1, spared: fault.match.after ?? 0 });
  }

  take(method: string, path: string, body?: unknown): Fault | undefined {
    const isFirst = this.isFirstOf((body as { nonce?: unknown } | null)?.nonce);
    const hit = this.armed.find(
      ({ fault: { match }, left }) =>
        left > 0 &&
        (match.method === undefined || match.method === method) &&
        (match.path === undefined || match.path.test(path)) &&
        (match.firstOfNonce !== true || isFirst),
    );
    if (!hit) return undefined;
    if (hit.spared > 0) {
      hit.spared -= 1;
      return undefined;
    }
    hit.left -= 1;
    this.armed = this.armed.filter(({ left }) => left > 0);
    return hit.fault;
  }

  private isFirstOf(nonce: unknown): boolean {
    if (typeof nonce !== 'string' || this.nonces.has(nonce)) return false;
    this.nonces.add(nonce);
    return true;
  }

  /** Ends the fault that was armed with this very match, or all. */
  clear(match?: RequestMatch): void {
    this.armed = match ? this.armed.filter(({ fault }) => fault.match !== match) : [];
  }
}
