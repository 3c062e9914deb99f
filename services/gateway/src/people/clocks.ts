import { CLOCKS_CHANNEL, outreachContract } from '@kith/contracts';
import { KeptAnswers, type Messenger } from '@kith/messaging';

/** Time for the scheduler to tell a zone: far longer than it needs, far shorter than a model. */
const TIMEOUT_MS = 250;
/** Time for which a scheduler that did not answer is not asked again: no turn waits for one that is known to hang. */
const SILENT_MS = 10_000;
/** Time for which a zone is kept: whoever changes theirs ends it. */
const KEPT_MS = 10 * 60_000;

/** Knows the time zones of people's clocks. */
export class Clocks {
  private readonly zones: KeptAnswers<string>;
  private silentUntil = 0;

  constructor(
    private readonly messenger: Pick<Messenger, 'ask'>,
    broadcasts: ConstructorParameters<typeof KeptAnswers>[0],
  ) {
    this.zones = new KeptAnswers(broadcasts, CLOCKS_CHANNEL, undefined, KEPT_MS);
  }

  /** Listens for people whose zone has changed. */
  listen(): void {
    this.zones.listen();
  }

  /** Returns the zone of a person's clock, the suite's for who named none; null where nobody can tell. Never throws. */
  async zoneOf(personId: string): Promise<string | null> {
    try {
      return await this.zones.of(personId, () => this.ask(personId));
    } catch {
      return null;
    }
  }

  /** Drops what is known of a person, who is being erased. */
  forget(personId: string): void {
    this.zones.drop([personId]);
  }

  private async ask(personId: string): Promise<string> {
    if (performance.now() < this.silentUntil) throw new Error('the scheduler did not answer a moment ago');
    try {
      const how = { ifThere: true, timeoutMs: TIMEOUT_MS };
      return (await this.messenger.ask(outreachContract.timeZone, { personId }, how)).timeZone;
    } catch (error) {
      this.silentUntil = performance.now() + SILENT_MS;
      throw error;
    }
  }
}
