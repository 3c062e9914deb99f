import { AppError, personalityContract, type CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { CompanionStanding } from '../answer/decide-gate.js';

/** Time for which the list is kept: a new companion is seen by the doors after it at the latest. */
const CACHE_MS = 10_000;

/** Lists the companions there are, as personality knows them. */
export class CompanionDirectory {
  private latest: { companions: CompanionView[]; until: number } | undefined;
  /** Time until which a message does not wait for the first list. */
  private silentUntil = 0;

  constructor(
    private readonly messenger: Pick<Messenger, 'ask' | 'canAsk'>,
    readonly defaultCompanion: string,
  ) {}

  /**
   * Lists the companions; the last list counts while personality is down. @throws AppError `unavailable` when there is
   * none yet
   */
  async list(): Promise<CompanionView[]> {
    const known = this.latest;
    // Nobody could answer: waiting for it would only hold a message up.
    if (known && (known.until > Date.now() || !this.messenger.canAsk)) return known.companions;
    try {
      const { companions } = await this.messenger.ask(personalityContract.companions, {}, { ifThere: true });
      this.latest = { companions, until: Date.now() + CACHE_MS };
      return companions;
    } catch (error) {
      // The next messages need not wait to learn that there is no answer.
      const until = Date.now() + CACHE_MS;
      if (!known) {
        this.silentUntil = until;
        throw error;
      }
      known.until = until;
      return known.companions;
    }
  }

  /** Has the list fetched again, after a companion came or went. */
  forget(): void {
    if (this.latest) this.latest.until = 0;
  }

  /** Tells whether a companion serves, by the last known list: one that is not in it is retired. Without any list it serves. */
  async standingOf(companionId: string): Promise<CompanionStanding> {
    if (!this.latest && this.silentUntil > Date.now()) return 'serves';
    const companions = await this.listFor(companionId).catch(() => undefined);
    if (!companions) return 'serves';
    const found = companions.find(({ id }) => id === companionId);
    if (!found) return 'retired';
    return found.pausedSince === undefined ? 'serves' : 'paused';
  }

  /** Lists them anew where the one that is looked for is not in the list that is kept: another replica may have created it. */
  private listFor(companionId: string): Promise<CompanionView[]> {
    if (this.latest && !this.latest.companions.some(({ id }) => id === companionId)) this.forget();
    return this.list();
  }

  /**
   * Returns the id of the companion that was named, or of the default one. Accepts any name until a list was read: no
   * message is refused because a part is down.
   * @param field of the request that names it
   * @throws AppError `not_found` that lists the companions there are
   */
  async require(companionId: string | undefined, field = 'companion'): Promise<string> {
    const wanted = companionId ?? this.defaultCompanion;
    const mayAnswer = this.messenger.canAsk && this.silentUntil <= Date.now();
    const canList = this.latest !== undefined || mayAnswer;
    const companions = canList ? await this.listFor(wanted).catch(() => undefined) : undefined;
    if (companions && !companions.some(({ id }) => id === wanted)) {
      const known = companions.map(({ id }) => id).join(', ');
      throw new AppError('not_found', `there is no companion "${wanted}"; there is ${known}`, { field });
    }
    return wanted;
  }
}
