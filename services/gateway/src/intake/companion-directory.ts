import { AppError, personalityContract, type CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

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

  /** Has the list fetched anew, after a companion came or went. */
  forget(): void {
    if (this.latest) this.latest.until = 0;
  }

  /** Tells whether an operator paused this companion, by the last known list. Without any list it counts as not paused. */
  async isPaused(companionId: string): Promise<boolean> {
    if (!this.latest && this.silentUntil > Date.now()) return false;
    const companions = await this.list().catch((): CompanionView[] => []);
    return companions.some(({ id, pausedSince }) => id === companionId && pausedSince !== undefined);
  }

  /**
   * Returns the id of the companion that was named, or of the default one. Any name does while none was ever listed: no
   * message is refused because a part is down.
   * @throws AppError `not_found` that lists the companions there are
   */
  async require(companionId: string | undefined): Promise<string> {
    const wanted = companionId ?? this.defaultCompanion;
    const mayAnswer = this.messenger.canAsk && this.silentUntil <= Date.now();
    const canList = this.latest !== undefined || mayAnswer;
    const isNamed = ({ id }: CompanionView): boolean => id === wanted;
    // One that was created a moment ago, perhaps at another replica, is not in the list that is kept.
    if (this.latest && !this.latest.companions.some(isNamed)) this.forget();
    const companions = canList ? await this.list().catch(() => undefined) : undefined;
    if (companions && !companions.some(isNamed)) {
      const known = companions.map(({ id }) => id).join(', ');
      throw new AppError('not_found', `there is no companion "${wanted}"; there is ${known}`, {
        field: 'companion',
      });
    }
    return wanted;
  }
}
