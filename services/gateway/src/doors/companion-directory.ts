import { AppError, personalityContract, type CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** A new companion is seen by the doors after at most this time. */
const CACHE_MS = 10_000;

/** Which companions there are, as personality knows them. */
export class CompanionDirectory {
  #latest: { companions: CompanionView[]; until: number } | undefined;
  /** Until then a message does not wait for the first list. */
  #silentUntil = 0;

  constructor(
    private readonly messenger: Pick<Messenger, 'ask' | 'canAsk'>,
    readonly defaultCompanion: string,
  ) {}

  /** While personality is down the last list counts. @throws AppError `unavailable` when there is none yet */
  async list(): Promise<CompanionView[]> {
    const known = this.#latest;
    // Nobody could answer: waiting for it would only hold a message up.
    if (known && (known.until > Date.now() || !this.messenger.canAsk)) return known.companions;
    try {
      const { companions } = await this.messenger.ask(personalityContract.companions, {}, { ifThere: true });
      this.#latest = { companions, until: Date.now() + CACHE_MS };
      return companions;
    } catch (error) {
      // Not every message has to wait until it is known that there is no answer.
      const until = Date.now() + CACHE_MS;
      if (!known) {
        this.#silentUntil = until;
        throw error;
      }
      known.until = until;
      return known.companions;
    }
  }

  /**
   * The id of the companion that was named, or of the default one. While none was ever listed any name does: a message
   * is not refused because a part is down.
   * @throws AppError `not_found` that lists the companions there are
   */
  async require(companionId: string | undefined): Promise<string> {
    const wanted = companionId ?? this.defaultCompanion;
    const mayAnswer = this.messenger.canAsk && this.#silentUntil <= Date.now();
    const canList = this.#latest !== undefined || mayAnswer;
    const companions = canList ? await this.list().catch(() => undefined) : undefined;
    if (companions && !companions.some(({ id }) => id === wanted)) {
      const known = companions.map(({ id }) => id).join(', ');
      throw new AppError('not_found', `there is no companion "${wanted}"; there is ${known}`, {
        field: 'companion',
      });
    }
    return wanted;
  }
}
