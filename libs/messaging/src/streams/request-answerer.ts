import { AppError } from '@kith/contracts';
import type { ChainableCommander } from 'ioredis';
import { toWireError } from '../wire-errors.js';
import { bury, DIED, letterOf } from './bury.js';
import type { ClaimedEntry } from './claimed-entry.js';
import { decodeMessage, type StreamMessage } from './entry.js';
import { logBug, runHandler, acknowledge, type Handling } from './handling.js';
import type { RedisClock } from './redis-clock.js';
import type { HandledEntry } from './server-options.js';

/** Redis deletes the reply stream of an asker that died after this time: longer than any request waits. */
const REPLY_STREAM_LIFE_MS = 120_000;

/** Answers requests from their streams, once: an answered request is deleted. */
export class RequestAnswerer {
  constructor(
    private readonly handling: Handling,
    private readonly clock: RedisClock,
  ) {}

  /** Runs a request's handler and answers it. A request that nobody waits for any more is only removed. */
  async answer(entry: ClaimedEntry, pattern: string): Promise<'acknowledged' | 'failed'> {
    const startedAt = performance.now();
    const message = decodeMessage(entry.fields);
    const observe = (outcome: HandledEntry['outcome']) =>
      this.handling.observe({ kind: 'request', pattern, outcome, tookMs: performance.now() - startedAt });
    if (message.reply) {
      const ageMs = await this.ageOf(entry, message.reply.timeoutMs);
      // Without Redis' clock a first delivery is taken as fresh; one that comes again waits for the clock.
      if (ageMs === null && entry.deaths > 0) return 'failed';
      if (ageMs !== null && ageMs > message.reply.timeoutMs) {
        if (entry.deaths > 0)
          this.handling.log.warn(
            { pattern, correlationId: message.correlationId },
            'a request died with its process',
          );
        await this.acknowledgeRequest(entry, message);
        observe('expired');
        return 'acknowledged';
      }
    }
    try {
      const handler = this.handling.handlerOf(pattern);
      // The asker is of a newer version than this replica.
      if (!handler) throw new AppError('unavailable', `nobody here answers ${pattern}`);
      const answer = await runHandler(handler, message);
      await this.acknowledgeRequest(entry, message, ['d', JSON.stringify(answer ?? null)]);
      observe('ok');
    } catch (error) {
      logBug(this.handling.log, error, pattern, message.correlationId);
      await this.acknowledgeRequest(entry, message, ['e', JSON.stringify(toWireError(error))]);
      observe('error');
    }
    return 'acknowledged';
  }

  /** Gives up a request that ended its process time and again: a dead letter without the words it carried. */
  async refuse(entry: ClaimedEntry, pattern: string): Promise<void> {
    const message = decodeMessage(entry.fields);
    const { correlationId, json } = message;
    const { commands, group, keyPrefix, log } = this.handling;
    log.error({ pattern, correlationId, deaths: entry.deaths }, 'a request became a dead letter');
    const error = new AppError('internal', 'the service died while answering');
    const letter = {
      ...letterOf(group, entry, pattern, DIED),
      kind: 'request' as const,
      json: JSON.stringify({ length: json.length }),
    };
    await acknowledge(commands, () => {
      const buried = bury(commands.multi(), keyPrefix, letter);
      return this.answerOn(buried, entry, message, ['e', JSON.stringify(toWireError(error))]).exec();
    });
  }

  /** Computes the age of an entry; null while it is not known. Before an age counts as over the limit, the clock is set anew. */
  private async ageOf({ id }: ClaimedEntry, limitMs: number): Promise<number | null> {
    const { clock } = this;
    const sentAt = Number(id.split('-')[0]);
    const wasTrusted = clock.isTrusted;
    let now = clock.now() ?? (await clock.ask());
    if (now !== null && now - sentAt > limitMs && !wasTrusted) now = await clock.ask();
    return now === null ? null : now - sentAt;
  }

  private acknowledgeRequest(entry: ClaimedEntry, message: StreamMessage, answer?: string[]): Promise<void> {
    return acknowledge(this.handling.commands, () =>
      this.answerOn(this.handling.commands.pipeline(), entry, message, answer).exec(),
    );
  }

  /** One stream, one group: an answered request is deleted, so its stream stays empty. */
  private answerOn(
    chain: ChainableCommander,
    { stream, id }: ClaimedEntry,
    { reply }: StreamMessage,
    answer?: string[],
  ): ChainableCommander {
    if (reply && answer) {
      chain.xadd(reply.stream, '*', 'i', reply.requestId, ...answer);
      chain.pexpire(reply.stream, REPLY_STREAM_LIFE_MS);
    }
    return chain.xack(stream, this.handling.group, id).xdel(stream, id);
  }
}
