import { isDeepStrictEqual } from 'node:util';
import {
  gatewayContract,
  memoryContract,
  personalityContract,
  present,
  privacyRequest,
  type ReadTurn,
  unreadError,
} from '@kith/contracts';
import { allOrOneByOne, oneByOne, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { endOf, type ReadWithAhead, saidIn, toAppraised, toSpoken, weighed } from './turn-reading.js';
import type { CompanionRegistry } from '../companion/companion-registry.js';
import type { AffectRecords } from '../store/affect-records.js';
import type { JokeRecords } from '../store/joke-records.js';
import type { ProspectRecords, Situation } from '../store/prospect-records.js';
import type { Appraiser } from '../reading/appraiser.js';
import { describeMet } from '../affect/mood/describe-mood.js';
import { NOTHING_AHEAD } from '../affect/prospect.js';
import { beginsWithLaughter, findLaughedAt } from '../reading/shared-jokes.js';

/** Age from which an edited turn that is not read again counts as lost: the job of a younger one may be under way. */
const REREAD_OVERDUE_MS = 60_000;
/** A turn that was felt before is not read again. */
const REPEATED: ReadWithAhead = { appraiser: 'rules', appraisals: [], ahead: NOTHING_AHEAD };

/** Reads finished turns and lets them be felt. */
export class TurnAppraiser {
  constructor(
    private readonly parts: {
      messenger: Messenger;
      companions: CompanionRegistry;
      appraiser: Appraiser;
      records: AffectRecords;
      jokes: JokeRecords;
      prospects: ProspectRecords;
      logger: Logger;
    },
  ) {}

  /**
   * Appraises what people said in these turns, records it and announces the moods it left. Safe to repeat: a turn
   * is felt once, and a repeat announces the mood again, in case the first try ended between the two. One that was edited
   * since is read again here where the order to do so was lost. A turn that ended
   * its reader is not felt, and the job fails at its end so that the operator sees it.
   * @throws AppError of `gateway.read-turns` and `memory.was-private`, `not_found` for a turn that a companion has not felt
   *   before it left, and `invalid_request` that names a turn that ended its reader
   */
  async appraise(turnIds: string[]): Promise<void> {
    const { messenger, records } = this.parts;
    const { turns } = await messenger.ask(gatewayContract.readTurns, { turnIds });
    const [unrecorded, hidden, situations] = await Promise.all([
      records.unrecorded(turnIds),
      this.privateAmong(turns),
      this.situationsOf(turns),
    ]);
    const unfelt = new Set(unrecorded.filter((turnId) => !hidden.has(turnId)));
    const readings = await this.read(
      turns.filter(({ turnId }) => unfelt.has(turnId)),
      situations,
    );
    const ended = turns.filter(({ turnId }) => readings.get(turnId) === null);
    const readingOf = ({ turnId }: ReadTurn) => {
      const reading = readings.get(turnId);
      return reading === undefined ? REPEATED : reading;
    };
    // A companion that has left has nothing to announce again.
    const due = turns.filter(
      ({ turnId, companionId }) => unrecorded.includes(turnId) || this.isHere(companionId),
    );
    const feelDue = () =>
      allOrOneByOne(due, (some) =>
        this.feel(
          some.map((turn) => ({
            turn,
            hasJokes: situations.get(turn.turnId)?.hasJokes ?? false,
            // Of private talk nothing is felt, and what ended its reader is not read.
            reading: hidden.has(turn.turnId) ? null : readingOf(turn),
          })),
        ),
      );
    // A turn that can't be felt holds up no other that waits to be read again.
    await oneByOne([feelDue, () => this.rereadOverdue(turnIds)], (step) => step());
    if (ended.length > 0) throw unreadError(ended.map(({ turnId }) => turnId));
  }

  /**
   * Reads an edited turn again, and keeps what is hoped or feared in its new words; what was told in the old ones is gone
   * by then. It was felt as it was first said, and is not felt again. A turn of a companion that has left is passed over.
   * Safe to repeat.
   * @throws AppError of `gateway.read-turns` and `memory.was-private`, and `invalid_request` for one that ends its reader
   */
  async reread(turnId: string): Promise<void> {
    const { prospects } = this.parts;
    const [edited] = await prospects.toReread([turnId]);
    let read: ReadTurn | null;
    let turn = await this.openTurn(turnId);
    do {
      read = turn;
      await this.keepProspects(turnId, read);
      // A model takes seconds: what was forgotten or edited meanwhile is not to be kept.
      turn = await this.openTurn(turnId);
    } while (!isDeepStrictEqual(turn?.messages, read?.messages));
    if (edited) await prospects.wasReread(turnId, edited.editedAt);
  }

  private async rereadOverdue(turnIds: readonly string[]): Promise<void> {
    const overdue = await this.parts.prospects.toReread(turnIds, REREAD_OVERDUE_MS);
    await oneByOne(overdue, ({ turnId }) => this.reread(turnId));
  }

  private isHere(companionId: string): boolean {
    return this.parts.companions.all().some(({ view }) => view.id === companionId);
  }

  /** Reads a turn; null for one that is gone, and for private talk. */
  private async openTurn(turnId: string): Promise<ReadTurn | null> {
    const { turns } = await this.parts.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    const hidden = await this.privateAmong(turns);
    return turns.find((turn) => !hidden.has(turn.turnId)) ?? null;
  }

  /** Replaces the stored hopes and fears of a turn, and nothing else; removes them if the turn is gone. */
  private async keepProspects(turnId: string, turn: ReadTurn | null): Promise<void> {
    const { prospects, logger } = this.parts;
    if (turn === null || saidIn(turn).length === 0) return prospects.remove(turnId);
    const { companionId } = turn;
    if (!this.isHere(companionId)) {
      // A companion that has left reads nothing any more, so nothing is lost.
      logger.warn({ turnId, companionId }, 'an edited turn is not read again: its companion has left');
      return;
    }
    const reading = (await this.read([turn], await this.situationsOf([turn]))).get(turnId);
    if (!reading) throw unreadError([turnId]);
    // It was felt as it was first said: what it settles now is not felt, and stays open.
    await prospects.replace(turn, { ...weighed(turn, reading), closed: [] }, endOf(turn));
  }

  /** Finds the turns that are not to be felt: nothing of private talk is kept, no feeling either. */
  private async privateAmong(turns: readonly ReadTurn[]): Promise<Set<string>> {
    const spoken = turns.filter((turn) => saidIn(turn).length > 0);
    if (spoken.length === 0) return new Set();
    const { wasPrivate } = await this.parts.messenger.ask(memoryContract.wasPrivate, privacyRequest(spoken));
    return new Set(spoken.filter((_, n) => wasPrivate[n]).map(({ turnId }) => turnId));
  }

  /** Loads the open prospects of the speakers, and whether they share jokes with the companion. */
  private async situationsOf(turns: readonly ReadTurn[]): Promise<Map<string, Situation>> {
    const spoken = turns.filter((turn) => saidIn(turn).length > 0);
    const read = await this.parts.prospects.situations(spoken.map((turn) => ({ ...turn, at: endOf(turn) })));
    return new Map(spoken.map(({ turnId }, n) => [turnId, present(read[n])]));
  }

  /**
   * Reads all turns of a companion in one call of the model, since its instructions are the same for each. A prospect
   * that one of them tells of is not known yet when the others are read.
   */
  private async read(turns: readonly ReadTurn[], situations: ReadonlyMap<string, Situation>) {
    const { companions, appraiser } = this.parts;
    const readings = new Map<string, ReadWithAhead | null>();
    for (const { view } of companions.all()) {
      const theirs = turns.filter((turn) => turn.companionId === view.id && saidIn(turn).length > 0);
      if (theirs.length === 0) continue;
      const said = theirs.map((turn) => ({
        turnId: turn.turnId,
        personId: turn.personId,
        texts: saidIn(turn).map(({ text }) => text),
        ahead: situations.get(turn.turnId)?.ahead ?? NOTHING_AHEAD,
      }));
      const read = await appraiser.read(said, view);
      said.forEach(({ turnId, ahead }, place) => {
        const reading = read[place] ?? null;
        readings.set(turnId, reading && { ...reading, ahead });
      });
    }
    return readings;
  }

  private async feel(read: readonly { turn: ReadTurn; hasJokes: boolean; reading: ReadWithAhead | null }[]) {
    const { messenger, companions, records, logger } = this.parts;
    const spoken = read.filter(({ turn, reading }) => reading !== null && saidIn(turn).length > 0);
    // First: a recorded turn is not read again.
    await oneByOne(spoken, ({ turn, hasJokes }) => this.laugh(turn, hasJokes));
    const felt = await records.record(
      spoken.map(({ turn, reading }) =>
        toAppraised(turn, reading ?? REPEATED, companions.get(turn.companionId)),
      ),
      Date.now(),
      read.filter((one) => !spoken.includes(one)).map(({ turn }) => turn),
    );
    for (const { turn, kind } of felt) {
      const { turnId, companionId, appraiser } = turn;
      logger.info({ turnId, companionId, kind, appraiser }, 'turn appraised');
    }
    await Promise.all(
      felt
        .filter(({ kind }) => kind !== 'history')
        .map(({ turn: { companionId, personId, turnId, character }, met, tension }) =>
          messenger.announce(personalityContract.moodChanged, {
            companionId,
            personId,
            turnId,
            mood: describeMet(met, { baseline: character.temperament.baseline, tension }),
          }),
        ),
    );
  }

  /** Keeps what was laughed at, and what came back of it. */
  private async laugh(turn: ReadTurn, hasJokes: boolean): Promise<void> {
    const { jokes } = this.parts;
    const { companionId, personId } = turn;
    const spoken = toSpoken(turn);
    const earlier = beginsWithLaughter(spoken)
      ? await jokes.turnBefore({ companionId, personId }, new Date(endOf(turn)))
      : null;
    const before = earlier === null ? null : await this.turnOrNull(earlier);
    const laughedAt = findLaughedAt(spoken, before && toSpoken(before));
    // Most people share no joke with a companion: their turns have nothing to come back to.
    if (!hasJokes && laughedAt.length === 0) return;
    const isStillSaid = async () =>
      earlier === null || isDeepStrictEqual((await this.turnOrNull(earlier))?.messages, before?.messages);
    await jokes.note({ companionId, personId }, spoken, laughedAt, isStillSaid);
  }

  /** Reads a turn; null for one that was deleted meanwhile. */
  private turnOrNull(turnId: string): Promise<ReadTurn | null> {
    return this.parts.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] }).then(
      ({ turns }) => turns[0] ?? null,
      () => null,
    );
  }
}
