import {
  AppError,
  type CompanionDay,
  gatewayContract,
  HOUR_MS,
  inParts,
  isErased,
  MAX_TURNS_IN_JOB,
  type ReadTurn,
  typedWords,
} from '@kith/contracts';
import { Postponed, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Companion } from '../persona/companion.js';
import { type DayTurn, findHabits } from '../night/find-habits.js';
import { reflectOnQuirks, type ReflectedQuirk } from '../night/reflect-on-quirks.js';
import type { FeltDay, ReflectionRecords, Step } from '../store/reflection-records.js';
import { diaryEntry } from '../night/diary-entry.js';
import { selfNote } from '../night/self-note.js';

/** The latest turns of a day that are read for habits: a busier companion has habits all the same. */
const MAX_TURNS_READ = 2_000;

/** Pause before a day with forgotten words is read again: removing a person's part here takes a second or two. */
const FIRST_PAUSE_MS = 2_000;
/** Longest pause, where that removal fails: an operator needs longer to fix it, and a night reads 2,000 turns. */
const MAX_PAUSE_MS = 10 * 60_000;
/** Pause of a day that lies ahead: a clock that is behind is right again within minutes of a start. */
const AHEAD_PAUSE_MS = HOUR_MS;
/** Looks at a day that is far ahead until it comes: it costs nothing to speak of, even for years. */
const AHEAD_LOOKS = 10;

/** Feelings of somebody who enjoys what it hears about, and not only how it is treated. */
const ENJOYMENT = new Set(['liking', 'love', 'joy', 'admiration', 'happy-for']);

/** Reflects on a companion's day at night: quirks, self-note and diary. */
export class NightlyReflection {
  /** Next pause of each day that has to be read anew. */
  private readonly pauses = new Map<string, number>();

  constructor(
    private readonly messenger: Messenger,
    private readonly records: ReflectionRecords,
    private readonly logger: Logger,
  ) {}

  /**
   * Reflects on one of its days: quirks, then self-note and diary. Each step is committed with its mark, so a run that
   * ended halfway goes on where it was; a day that is done may be reflected on again.
   * @throws AppError `unavailable` while another night of this companion is under way; of `gateway.read-turns`
   * @throws Postponed where words that were read already were forgotten, edited or erased: what comes of them must not be
   *   kept, and the others' day is not lost with them; where the persona was edited meanwhile; where the day lies ahead, by
   *   a clock that is wrong
   */
  async reflect(companion: Companion, on: CompanionDay): Promise<void> {
    const { id } = companion.view;
    const ran = await this.records
      .alone(id, () => this.night(companion, on))
      .catch((error: unknown) => {
        throw isErased(error) ? this.postponed(on) : error;
      });
    if (!ran) throw new AppError('unavailable', `another night of ${id} is under way; ${on.day} has to wait`);
    this.pauses.delete(keyOf(on));
  }

  /** Postpones a day, longer each time: this uses up no retry, and repeated forgetting must not keep nights busy. */
  private postponed(on: CompanionDay): Postponed {
    const { companionId, day } = on;
    const delayMs = this.pauses.get(keyOf(on)) ?? FIRST_PAUSE_MS;
    this.pauses.set(keyOf(on), Math.min(delayMs * 2, MAX_PAUSE_MS));
    this.logger.warn(
      { companionId, day, delayMs },
      'words of the day were forgotten, or the persona was edited; it is read anew',
    );
    return new Postponed(delayMs);
  }

  private async night(companion: Companion, on: CompanionDay): Promise<void> {
    const { companionId: id, day } = on;
    const done = await this.records.begin(id, day);
    if (!done) {
      this.logger.warn(
        { companionId: id, day },
        'a day that lies ahead has to wait: a clock is wrong, or was',
      );
      const untilMs = new Date(on.to).getTime() - Date.now();
      throw new Postponed(Math.max(AHEAD_PAUSE_MS, untilMs / AHEAD_LOOKS));
    }
    const felt = await this.records.day(on);
    const steps: Record<Step, () => Promise<void>> = {
      quirks: () => this.reflectOnQuirks(companion, on),
      note: () => this.records.saveNote(id, day, selfNote(felt.events)),
      diary: () => this.records.saveDiary(on, (known, quirks) => entryOf(day, known, quirks)),
    };
    for (const step of ['quirks', 'note', 'diary'] as const) if (!done.has(step)) await steps[step]();
    await this.records.finish(id, day);
    this.logger.info(
      { companionId: id, day, turns: felt.turns.length, resumed: [...done] },
      'day reflected on',
    );
  }

  /** Updates the habits. @throws Postponed where a turn that made one was forgotten or edited meanwhile, or the persona */
  private async reflectOnQuirks(companion: Companion, on: CompanionDay): Promise<void> {
    const { view, quirkRules } = companion;
    const readSince = await this.records.now();
    const felt = await this.records.day(on);
    const read = await this.turnsOf(felt.turns.slice(-MAX_TURNS_READ));
    const habits = findHabits(dayTurns(read, felt, view.name));
    const quirks = await this.records.quirks(view.id, { turns: [] });
    const changes = reflectOnQuirks(quirks, habits, quirkRules, on.day);
    const isSaved = await this.records.saveQuirks(view, on.day, changes, readSince);
    if (!isSaved) throw this.postponed(on);
  }

  /** Reads turns in the order asked for. Private talk is not among them: it was not felt. */
  private async turnsOf(turns: readonly { turnId: string }[]): Promise<ReadTurn[]> {
    const ids = turns.map(({ turnId }) => turnId);
    const read: ReadTurn[] = [];
    for (const turnIds of inParts(ids, MAX_TURNS_IN_JOB))
      read.push(...(await this.messenger.ask(gatewayContract.readTurns, { turnIds })).turns);
    return read;
  }
}

function dayTurns(read: readonly ReadTurn[], { events }: FeltDay, companionName: string): DayTurn[] {
  const enjoyed = new Set(events.filter(({ emotion }) => ENJOYMENT.has(emotion)).map(({ turnId }) => turnId));
  return read.map(({ turnId, personId, audience, displayName, messages }) => ({
    turnId,
    personId,
    audience,
    names: [displayName, companionName],
    pleasant: enjoyed.has(turnId),
    said: messages.filter((message) => message.personId === personId).map(({ text }) => typedWords(text)),
    replies: messages.filter(({ role }) => role === 'companion').map(({ text }) => text),
  }));
}

function entryOf(day: string, { events, turns }: FeltDay, quirks: readonly ReflectedQuirk[]) {
  const people = new Set(turns.map(({ personId }) => personId)).size;
  return diaryEntry({ day, events, quirks, people, exchanges: turns.length });
}

function keyOf({ companionId, day }: CompanionDay): string {
  return `${companionId} ${day}`;
}
