import { Inject, Injectable } from '@nestjs/common';
import { memoryContract, personalityContract } from '@kith/contracts';
import { Messenger, type MessagingLogger } from '@kith/messaging';
import { LOGGER } from '@kith/service-host';
import { DateTime } from 'luxon';
import { chooseInterest } from './choose-interest.js';
import { chooseNeed } from './choose-need.js';
import { IntentionRecords, type OwnReason } from './intention-records.js';
import { cutAbout } from './cut-about.js';

const DAY_MS = 24 * 3_600_000;
// Whoever has been away for longer is not called back by small talk.
const SPOKE_WITHIN_MS = 21 * DAY_MS;
const ONE_IN_MS = 7 * DAY_MS;
// In the afternoon: nothing of it is urgent.
const HOUR = 15;
const MOST_FACTS = 200;

/** Looks, once in a while, for something of a person's own to ask them about, or a need that a talk would meet. */
@Injectable()
export class InterestsService {
  constructor(
    private readonly intentions: IntentionRecords,
    private readonly messenger: Messenger,
    @Inject(LOGGER) private readonly logger: MessagingLogger,
  ) {}

  /**
   * Asks memory what is known of whoever allows it, for each only of their own, and keeps one reason a week at most.
   * @throws AppError of `memory.list` and `personality.needs`: who had their turn keeps it
   */
  async look(now: Date): Promise<void> {
    const people = await this.intentions.peopleToThinkOf(
      new Date(now.getTime() - SPOKE_WITHIN_MS),
      new Date(now.getTime() - ONE_IN_MS),
    );
    for (const { personId, companionId, timeZone, listener } of people) {
      const { memories } = await this.messenger.ask(memoryContract.list, {
        ...{ personId, companionId, limit: MOST_FACTS },
        ...{ kind: 'fact', shelf: 'open', audience: listener },
      });
      const interest = chooseInterest(memories, await this.intentions.askedAbout(personId), now);
      const reason = interest
        ? { ...interest, kind: 'interest' as const, source: `memory:${interest.memoryId}` }
        : await this.#ownNeed(companionId, now);
      if (!reason) continue;
      const { kind, source, audience } = reason;
      await this.intentions.keepOwn(
        { personId, companionId },
        { kind, source, audience, about: cutAbout(reason.about) },
        nextAt(HOUR, now, timeZone),
      );
      this.logger.info({ personId, companionId, kind, source }, 'something to write about');
    }
  }

  /** Where there is nothing of theirs to ask about, what presses on the companion itself. */
  async #ownNeed(companionId: string, now: Date): Promise<OwnReason | null> {
    const asked = { companionId, viewer: null, now: now.toISOString() };
    const { needs } = await this.messenger.ask(personalityContract.needs, asked);
    const chosen = chooseNeed(needs);
    return chosen && { kind: 'need', about: chosen.about, source: `need:${chosen.need}`, audience: null };
  }
}

/** The next time that a clock in this zone shows the hour. */
function nextAt(hour: number, now: Date, zone: string): Date {
  const local = DateTime.fromJSDate(now, { zone });
  const today = local.startOf('day').set({ hour });
  return (today > local ? today : today.plus({ days: 1 })).toJSDate();
}
