import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** Discord bans an address at 10,000 invalid requests in ten minutes. */
const WINDOW_MS = 10 * 60_000;
/** Refusals after which the log warns the operator. */
const WORRYING = 100;
/** Refusals after which nothing is sent until some of them are past. */
const TOO_MANY = 500;
const INVALID: ReadonlySet<number> = new Set([401, 403, 429]);
/** Addresses for answers to an interaction, whose token runs out: Discord counts a 404 there as invalid too. */
const BY_TOKEN = /\/v\d+\/(?:webhooks|interactions)\//;

/** Discord was not asked, since it refused too much of late. */
export class TooManyInvalidRequests extends Error {
  override readonly name = 'TooManyInvalidRequests';

  constructor() {
    super('Discord refused too many requests in ten minutes');
  }
}

/** Counts the answers that add up to a ban, and stops well before it. */
export class InvalidRequests {
  private readonly at: number[] = [];
  private warned = false;

  constructor(
    private readonly onWorrying: (count: number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Makes one that shows its count as a metric, and warns in the log. */
  static watched(logger: Logger, registry: Registry): InvalidRequests {
    const requests = new InvalidRequests((count) =>
      logger.error({ count }, 'Discord refuses many requests: it bans an address at 10,000 in ten minutes'),
    );
    new Gauge({
      name: 'kith_discord_invalid_requests',
      help: 'refusals that Discord counts towards a ban, in the last ten minutes',
      registers: [registry],
      collect() {
        this.set(requests.count);
      },
    });
    return requests;
  }

  /** Notes an answer of Discord's REST API. Call it for every answer. */
  note({ status, headers }: Pick<Response, 'status' | 'headers'>, url: string): void {
    if (!INVALID.has(status) && !(status === 404 && BY_TOKEN.test(url))) return;
    // A limit shared with others is used up: Discord does not count that as invalid.
    if (headers.get('x-ratelimit-scope') === 'shared') return;
    this.at.push(this.now());
    const { count } = this;
    if (count >= WORRYING && !this.warned) {
      this.warned = true;
      this.onWorrying(count);
    } else if (count < WORRYING) this.warned = false;
  }

  /** Refusals in the last ten minutes. */
  get count(): number {
    const earliest = this.now() - WINDOW_MS;
    while (this.at[0] !== undefined && this.at[0] < earliest) this.at.shift();
    return this.at.length;
  }

  /** True while nothing may be sent. */
  get isTooMany(): boolean {
    return this.count >= TOO_MANY;
  }
}
