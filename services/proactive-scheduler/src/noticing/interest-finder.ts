import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  DAY_MS,
  memoryContract,
  type MemoryView,
  type NeedView,
  personalityContract,
} from '@kith/contracts';
import { type Messenger, type MessagingLogger, oneByOne } from '@kith/messaging';
import { DateTime } from 'luxon';
import { chooseInterest } from '../reasons/choose-interest.js';
import { chooseNeed } from '../reasons/choose-need.js';
import type { IntentionRecords, OwnReason, PersonToThinkOf } from '../store/intention-records.js';
import { cutAbout } from '../reasons/cut-about.js';

// Whoever has been away for longer is not called back by small talk.
const SPOKE_WITHIN_MS = 21 * DAY_MS;
// More than one a week would be an interview.
const ONE_IN_MS = 7 * DAY_MS;
// In the afternoon: nothing of it is urgent.
const HOUR = 15;
// Facts beyond this are of no more interest than the first.
const MAX_FACTS = 200;

/** Finds, once in a while, something of a person's own to ask them about, or a need that a talk would meet. */
export class InterestFinder {
  constructor(
    private readonly intentions: Pick<IntentionRecords, 'peopleToThinkOf' | 'askedAbout' | 'keepOwn'>,
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly logger: MessagingLogger,
  ) {}

  /**
   * Asks memory what is known of each person who allows it, and keeps one reason a week at most. Where that fails for one,
   * the others are still checked; while personality is down, what memory knows is still asked about.
   * @throws AppError of `memory.list` and `personality.needs`, after all were checked: reasons found are kept
   */
  async findAll(now: Date): Promise<void> {
    const within = { spokeWithinMs: SPOKE_WITHIN_MS, oneInMs: ONE_IN_MS };
    const people = await this.intentions.peopleToThinkOf(now, within);
    const needsByCompanion = new Map<string, Promise<NeedView[] | null>>();
    await oneByOne(people, (person) => {
      const { companionId } = person;
      const needs = needsByCompanion.get(companionId) ?? this.needsOf(companionId, now);
      needsByCompanion.set(companionId, needs);
      return this.findFor(person, needs, now);
    });
  }

  private async findFor(person: PersonToThinkOf, needs: Promise<NeedView[] | null>, now: Date) {
    const { personId, companionId, timeZone } = person;
    // It is retired: nobody is to hear from it.
    if ((await needs.catch(() => [])) === null) return;
    const asked = await this.intentions.askedAbout(personId, now);
    const choose = async () => chooseInterest(await this.factsOf(person), asked, now);
    const interest = await choose();
    const reason = interest
      ? { ...interest, kind: 'interest' as const, source: `memory:${interest.memoryId}` }
      : ownReason((await needs) ?? []);
    if (!reason) return;
    const { kind, source } = reason;
    const isKept = await this.intentions.keepOwn(
      { personId, companionId },
      { ...reason, about: cutAbout(reason.about) },
      nextAt(HOUR, now, timeZone),
      async () => interest === null || isDeepStrictEqual(await choose(), interest),
    );
    if (isKept)
      this.logger.info({ personId, companionId, kind, source }, 'a reason to write first was found');
  }

  private async factsOf({ personId, companionId, listener }: PersonToThinkOf): Promise<MemoryView[]> {
    const { memories } = await this.messenger.ask(memoryContract.list, {
      personId,
      companionId,
      limit: MAX_FACTS,
      kind: 'fact',
      shelf: 'open',
      audience: listener,
    });
    return memories;
  }

  /** Asks for the companion's own needs; null where it is retired. */
  private async needsOf(companionId: string, now: Date): Promise<NeedView[] | null> {
    const asked = { companionId, viewer: null, now: now.toISOString() };
    try {
      return (await this.messenger.ask(personalityContract.needs, asked)).needs;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

/** Words a pressing need of the companion's own, for where there is nothing of theirs to ask about. */
function ownReason(needs: readonly NeedView[]): OwnReason | null {
  const chosen = chooseNeed(needs);
  return chosen && { kind: 'need', about: chosen.about, source: `need:${chosen.need}`, audience: null };
}

/** The next time that a clock in this zone shows the hour. */
function nextAt(hour: number, now: Date, zone: string): Date {
  const local = DateTime.fromJSDate(now, { zone });
  const today = local.startOf('day').set({ hour });
  return (today > local ? today : today.plus({ days: 1 })).toJSDate();
}
