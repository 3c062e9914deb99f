import { AppError, personalityContract, type CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** A new companion is seen by the doors after at most this time. */
const CACHE_MS = 10_000;

/** Which companions there are, as personality knows them. */
export class CompanionDirectory {
  #latest: { companions: CompanionView[]; until: number } | undefined;

  constructor(
    private readonly messenger: Messenger,
    readonly defaultCompanion: string,
  ) {}

  async list(): Promise<CompanionView[]> {
    if (!this.#latest || this.#latest.until < Date.now()) {
      const { companions } = await this.messenger.ask(personalityContract.companions, {});
      this.#latest = { companions, until: Date.now() + CACHE_MS };
    }
    return this.#latest.companions;
  }

  /**
   * The id of the companion that was named, or of the default one. While personality is down the last list
   * counts, and with none any name does: a message is not refused because a part is down.
   * @throws AppError `not_found` that lists the companions there are
   */
  async require(companionId: string | undefined): Promise<string> {
    const wanted = companionId ?? this.defaultCompanion;
    // Without Redis nobody could answer: waiting for it would only hold the message up.
    const companions = this.messenger.isReachable
      ? await this.list().catch(() => this.#latest?.companions)
      : this.#latest?.companions;
    if (companions && !companions.some(({ id }) => id === wanted)) {
      const known = companions.map(({ id }) => id).join(', ');
      throw new AppError('not_found', `there is no companion "${wanted}"; there is ${known}`, {
        field: 'companion',
      });
    }
    return wanted;
  }
}
