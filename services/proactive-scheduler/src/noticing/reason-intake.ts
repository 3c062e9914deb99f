import { isDeepStrictEqual } from 'node:util';
import {
  DAY_MS,
  gatewayContract,
  inParts,
  MAX_TURNS_IN_JOB,
  memoryContract,
  privacyRequest,
  type ReadTurn,
  saidByPerson,
  unreadError,
} from '@kith/contracts';
import { allOrOneByOne, type Messenger, type MessagingLogger, oneByOne } from '@kith/messaging';
import { ReaderEnded, type ReadingThread } from '@kith/reading';
import type { SaidInTurn } from '../reasons/notice-reasons.js';
import type { TurnReading } from '../reasons/read-turn.js';
import type { NoticedTurn } from '../store/noticed-reasons.js';
import type { TurnRecords } from '../store/turn-records.js';

/** The rules that read turns, in a thread that can be ended. */
export type ReasonRules = ReadingThread<typeof import('../reasons/read-turn.js')>;

/** Takes in ended turns: that people spoke, and what they asked a companion to come back to. */
export class ReasonIntake {
  constructor(
    private readonly records: TurnRecords,
    private readonly messenger: Messenger,
    private readonly rules: ReasonRules,
    private readonly logger: MessagingLogger,
  ) {}

  /**
   * Takes note of ended turns, and keeps what people asked for in them. The same turn again changes nothing. A turn that
   * ended its reader is noted without reasons, and the job fails at its end so that the operator sees it.
   * @throws AppError `invalid_request` that names such a turn, once the others are done
   */
  async notice(turnIds: string[]): Promise<void> {
    const ended = await this.takeNote(turnIds);
    if (ended.length > 0) throw unreadError(ended);
  }

  /**
   * Takes note of ended turns with their present words. Another job that read older words of one of them stores
   * nothing from here on. Returns the ids of turns that ended their reader.
   */
  async takeNote(turnIds: string[]): Promise<string[]> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
    const read = await this.read(turns);
    const asksForNothing = ({ noticed }: ReadForReasons) => (noticed ?? []).length === 0;
    await oneByOne(
      // Turns without reasons do not wait for memory, which may be down.
      [read.filter(asksForNothing), read.filter((one) => !asksForNothing(one))],
      (part) => allOrOneByOne(part, (some) => this.keep(some)),
    );
    return read.filter(({ noticed }) => noticed === null).map(({ turn }) => turn.turnId);
  }

  /**
   * Reads a turn again after its words changed, or the part of its reply that counts as said: promises that
   * were not said are removed, and those that were come back. The person's requests stay, unless their words were
   * forgotten. Safe to repeat.
   */
  async noticeAgain(turnId: string): Promise<void> {
    await this.takeNote([turnId]);
    let before: ReadForReasons | undefined;
    let turn = await this.openTurn(turnId);
    while (turn && !isDeepStrictEqual(turn.messages, before?.turn.messages)) {
      const [read] = await this.withoutPrivate(await this.read([turn]));
      if (read) await this.records.handleAgain(toNoticed(read), before?.noticed ?? [], new Date());
      before = read;
      // If the turn was edited meanwhile, its new words are read as well.
      turn = await this.openTurn(turnId);
    }
  }

  /**
   * Reads turns again, as `noticeAgain` does, after their replies were removed with forgotten words, or restored. Most
   * of them have no reasons, before or after, and cost nothing more.
   */
  async noticeReplies(turnIds: readonly string[]): Promise<void> {
    for (const part of inParts(turnIds, MAX_TURNS_IN_JOB)) {
      // From here on, a job that read the reply earlier stores no promise from it.
      await this.takeNote(part);
      const promising = new Set(await this.records.promisedIn(part));
      const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: part });
      for (const { turn, noticed } of await this.read(turns)) {
        if (promising.has(turn.turnId) || (noticed ?? []).length > 0) await this.noticeAgain(turn.turnId);
      }
    }
  }

  /**
   * Places what a person named while their time zone was a guess: "tomorrow" may be another day in theirs. Safe to
   * repeat.
   */
  async placeAgain(personId: string): Promise<void> {
    for (const turnIds of inParts(await this.records.unplacedTurns(personId), MAX_TURNS_IN_JOB)) {
      const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
      await this.records.placeAgain(personId, turnIds, (await this.read(turns)).map(toNoticed));
    }
  }

  /** Reads a turn; undefined for one that is gone. */
  private async openTurn(turnId: string): Promise<ReadTurn | undefined> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    return turns[0];
  }

  private async keep(read: readonly ReadForReasons[]): Promise<void> {
    const open = await this.withoutPrivate(read);
    const kept = await this.records.handle(open.map(toNoticed), new Date());
    open.forEach(({ turn: { turnId } }, n) => {
      if (kept[n]) this.logger.info({ turnId, kept: kept[n] }, 'intentions kept');
    });
  }

  private async read(turns: readonly ReadTurn[]): Promise<ReadForReasons[]> {
    const zoneOf = await this.records.timeZonesOf(turns.map(({ personId }) => personId));
    return Promise.all(
      turns.map(async (turn) => {
        const timeZone = zoneOf(turn.personId);
        const reading = await this.readOne(turn, timeZone);
        return {
          turn,
          timeZone,
          noticed: reading?.reasons ?? null,
          silencedAt: reading?.silencedAt ? countsFrom(reading.silencedAt, turn) : null,
        };
      }),
    );
  }

  /** Drops reasons of private talk, promises too. Asks memory only where there is something to keep. */
  private async withoutPrivate(read: readonly ReadForReasons[]): Promise<readonly ReadForReasons[]> {
    const told = read.filter(({ noticed }) => noticed !== null && noticed.length > 0);
    if (told.length === 0) return read;
    const request = privacyRequest(told.map(({ turn }) => turn));
    const { wasPrivate } = await this.messenger.ask(memoryContract.wasPrivate, request);
    const hidden = new Set(told.filter((_, n) => wasPrivate[n]));
    return read.map((one) => (hidden.has(one) ? { ...one, noticed: [] } : one));
  }

  private async readOne(turn: ReadTurn, zone: string): Promise<TurnReading | null> {
    // Its own outreach promises nothing new.
    const { origin, outcome } = turn;
    if (origin !== 'message' || outcome === 'dropped') return { reasons: [], silencedAt: null };
    try {
      const reading = await this.rules.call('readTurn', saidIn(turn), zone);
      // One that is paused, stopped or may not write there takes nothing up, and is still told to be silent.
      return outcome === 'silent' ? { ...reading, reasons: [] } : reading;
    } catch (error) {
      if (error instanceof ReaderEnded) return null;
      throw error;
    }
  }
}

/** A turn with what its person asked for; null where it ended its reader. */
interface ReadForReasons extends Pick<NoticedTurn, 'timeZone' | 'silencedAt'> {
  turn: ReadTurn;
  noticed: NoticedTurn['noticed'] | null;
}

function toNoticed({ turn, noticed, ...read }: ReadForReasons): NoticedTurn {
  return { ...read, turn: { ...turn, endedAt: new Date(turn.endedAt) }, noticed: noticed ?? [] };
}

/**
 * Returns the time from which words of a turn count: its end, by our clock. Words that came a day late, from an archive or
 * after Discord was away, count from when they were said: consent may have been given since.
 */
function countsFrom(saidAt: Date, turn: ReadTurn): Date {
  const begun = Date.parse(turn.startedAt ?? turn.endedAt);
  return begun - saidAt.getTime() > DAY_MS ? saidAt : new Date(turn.endedAt);
}

/** Collects what the person and the companion said in a turn. */
function saidIn(turn: ReadTurn): SaidInTurn {
  const toSaid = ({ text, at }: ReadTurn['messages'][number]) => ({ text, saidAt: new Date(at) });
  return {
    person: saidByPerson(turn).map(toSaid),
    companion: turn.messages.filter(({ role }) => role === 'companion').map(toSaid),
  };
}
