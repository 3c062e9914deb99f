import { Injectable } from '@nestjs/common';
import {
  AppError,
  gatewayContract,
  memoryContract,
  personalityContract,
  type ReadTurn,
} from '@kith/contracts';
import { allOrOneByOne, oneByOne, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { CompanionsService } from '../persona/companions.service.js';
import { beginsWithLaughter, findLaughedAt, type SpokenTurn } from '../relationship/shared-jokes.js';
import type { AffectRecords, AppraisedTurn } from '../storage/affect-records.js';
import type { JokeRecords } from '../storage/joke-records.js';
import type { ProspectRecords, Situation } from '../storage/prospect-records.js';
import type { Appraiser, Reading } from './appraiser.js';
import { describeMood } from '../mood/describe-mood.js';
import { feelingsOf } from '../mood/feelings.js';
import { type Ahead, NOTHING_AHEAD, weighProspects } from './prospects.js';

/** A turn as read, with what lay ahead of its person. */
interface ReadWithAhead extends Reading {
  ahead: Ahead;
}

/** A turn that was felt before is not read again. */
const REPEATED: ReadWithAhead = { appraiser: 'rules', appraisals: [], ahead: NOTHING_AHEAD };
/** As many times as memory is asked about at once; a burst has far fewer messages. */
const MAX_TIMES_ASKED = 500;

/** Reads finished turns and lets them be felt. */
@Injectable()
export class AppraisalService {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionsService,
    private readonly appraiser: Appraiser,
    private readonly records: AffectRecords,
    private readonly jokes: JokeRecords,
    private readonly prospects: ProspectRecords,
    private readonly logger: Logger,
  ) {}

  /**
   * Appraises what people said in these turns, records it and announces the moods it left. Bears repeats: a turn
   * is felt once, and a repeat announces the mood again, in case the first try ended between the two. A turn that ended
   * its reader is not felt, and is told to the operator by the end of the job.
   * @throws AppError of `gateway.read-turns` and `memory.was-private`, `not_found` for a companion that has
   * left, and `invalid_request` that names a turn that ended its reader
   */
  async appraise(turnIds: string[]): Promise<void> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
    const [unrecorded, hidden, situations] = await Promise.all([
      this.records.unrecorded(turnIds),
      this.#privateAmong(turns),
      this.#situationsOf(turns),
    ]);
    const unfelt = new Set(unrecorded.filter((turnId) => !hidden.has(turnId)));
    const readings = await this.#read(
      turns.filter(({ turnId }) => unfelt.has(turnId)),
      situations,
    );
    const ended = turns.filter(({ turnId }) => readings.get(turnId) === null);
    await allOrOneByOne(turns, (some) =>
      this.#feel(
        some.map((turn) => ({
          turn,
          hasJokes: situations.get(turn.turnId)?.hasJokes ?? false,
          // Of private talk nothing is felt, and what ended its reader is not read.
          reading: hidden.has(turn.turnId) ? null : readOf(readings, turn),
        })),
      ),
    );
    if (ended.length > 0)
      throw new AppError(
        'invalid_request',
        `ended its reader twice, and is left unread: turn ${ended.map(({ turnId }) => turnId).join(', ')}`,
      );
  }

  /**
   * Reads an edited turn again, and keeps what is hoped or feared in its new words; what was told in the old ones is gone
   * by then. It was felt as it was first said, and is not felt again. Safe to repeat.
   * @throws AppError of `gateway.read-turns` and `memory.was-private`, and `invalid_request` for one that ends its reader
   */
  async reread(turnId: string): Promise<void> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    const hidden = await this.#privateAmong(turns);
    const open = turns.filter((turn) => !hidden.has(turn.turnId));
    const readings = await this.#read(open, await this.#situationsOf(open));
    await oneByOne(open, async (turn) => {
      const reading = readings.get(turn.turnId);
      if (reading === null)
        throw new AppError('invalid_request', `ended its reader twice, and is left unread: turn ${turnId}`);
      if (!reading) return;
      const said = saidIn(turn);
      const texts = said.map(({ text }) => text);
      const { told } = weighProspects(texts, reading.appraisals, reading.ahead.open);
      const messageIds = said.flatMap(({ externalId }) => externalId ?? []);
      const change = { told, closed: [], audience: turn.audience, messageIds };
      await this.prospects.keep(turn, change, endOf(turn));
    });
  }

  /** Of these turns those that are not to be felt: nothing of private talk is kept, no feeling either. */
  async #privateAmong(turns: readonly ReadTurn[]): Promise<Set<string>> {
    const spoken = turns.filter((turn) => saidIn(turn).length > 0);
    if (spoken.length === 0) return new Set();
    const asked = spoken.map((turn) => ({
      personId: turn.personId,
      at: [turn.startedAt ?? turn.endedAt, ...saidIn(turn).map((message) => message.at)].slice(
        0,
        MAX_TIMES_ASKED,
      ),
    }));
    const { wasPrivate } = await this.messenger.ask(memoryContract.wasPrivate, { turns: asked });
    return new Set(spoken.filter((_, n) => wasPrivate[n]).map(({ turnId }) => turnId));
  }

  /** What lay ahead of whoever spoke, and whether they share jokes with the companion. */
  async #situationsOf(turns: readonly ReadTurn[]): Promise<Map<string, Situation>> {
    const spoken = turns.filter((turn) => saidIn(turn).length > 0);
    const read = await this.prospects.situations(spoken.map((turn) => ({ ...turn, at: endOf(turn) })));
    return new Map(spoken.map(({ turnId }, n) => [turnId, read[n]!]));
  }

  /**
   * Reads all turns of each companion together: they share what the model must be told. What one of them tells lies
   * ahead of none that is read with it.
   */
  async #read(
    turns: readonly ReadTurn[],
    situations: ReadonlyMap<string, Situation>,
  ): Promise<Map<string, ReadWithAhead | null>> {
    const readings = new Map<string, ReadWithAhead | null>();
    for (const { view } of this.companions.all()) {
      const theirs = turns.filter((turn) => turn.companionId === view.id && saidIn(turn).length > 0);
      if (theirs.length === 0) continue;
      const ahead = theirs.map(({ turnId }) => situations.get(turnId)?.ahead ?? NOTHING_AHEAD);
      const read = await this.appraiser.read(
        theirs.map((turn) => saidIn(turn).map(({ text }) => text)),
        view,
        ahead,
      );
      theirs.forEach(({ turnId }, place) => {
        const reading = read[place] ?? null;
        readings.set(turnId, reading && { ...reading, ahead: ahead[place] ?? NOTHING_AHEAD });
      });
    }
    return readings;
  }

  async #feel(
    read: readonly { turn: ReadTurn; hasJokes: boolean; reading: ReadWithAhead | null }[],
  ): Promise<void> {
    const spoken = read.filter(({ turn, reading }) => reading !== null && saidIn(turn).length > 0);
    // First: what is recorded is not read again.
    await oneByOne(spoken, ({ turn, hasJokes }) => this.#laugh(turn, hasJokes));
    const felt = await this.records.record(
      spoken.map(({ turn, reading }) => appraisedOf(turn, reading ?? REPEATED)),
      (companionId) => this.companions.get(companionId),
      Date.now(),
      read.filter((one) => !spoken.includes(one)).map(({ turn }) => turn),
    );
    for (const { turn, kind } of felt) {
      const { turnId, companionId, appraiser } = turn;
      this.logger.info({ turnId, companionId, kind, appraiser }, 'turn appraised');
    }
    await Promise.all(
      felt
        .filter(({ kind }) => kind !== 'history')
        .map(({ turn: { companionId, personId, turnId }, felt: pad }) =>
          this.messenger.announce(personalityContract.moodChanged, {
            ...{ companionId, personId, turnId },
            mood: describeMood(pad),
          }),
        ),
    );
  }

  /** Keeps what was laughed at, and what came back of it. */
  async #laugh(turn: ReadTurn, hasJokes: boolean): Promise<void> {
    const { companionId, personId } = turn;
    const spoken = spokenOf(turn);
    const earlier = beginsWithLaughter(spoken)
      ? await this.jokes.turnBefore({ companionId, personId }, new Date(endOf(turn)))
      : null;
    const before =
      earlier === null
        ? null
        : await this.messenger.ask(gatewayContract.readTurns, { turnIds: [earlier] }).then(
            ({ turns }) => turns[0] ?? null,
            // One that was deleted meanwhile.
            () => null,
          );
    const laughedAt = findLaughedAt(spoken, before && spokenOf(before));
    // Most people share no joke with a companion: their turns have nothing to come back to.
    if (hasJokes || laughedAt.length > 0) await this.jokes.note({ companionId, personId }, spoken, laughedAt);
  }
}

/** The reading of a turn; one that was felt before is not read again. */
function readOf(
  readings: ReadonlyMap<string, ReadWithAhead | null>,
  { turnId }: ReadTurn,
): ReadWithAhead | null {
  const reading = readings.get(turnId);
  return reading === undefined ? REPEATED : reading;
}

/** A turn as it is to be felt. */
function appraisedOf(turn: ReadTurn, { appraiser, appraisals: events, ahead }: ReadWithAhead): AppraisedTurn {
  const { turnId, companionId, personId, audience } = turn;
  const said = saidIn(turn);
  const texts = said.map(({ text }) => text);
  const { appraisals, ...prospects } = weighProspects(texts, events, ahead.open);
  const messageIds = said.flatMap(({ externalId }) => externalId ?? []);
  return {
    ...{ turnId, companionId, personId, appraiser },
    ...{ endedAt: endOf(turn), feelings: feelingsOf(appraisals) },
    prospects: { ...prospects, audience, messageIds },
  };
}

/** A turn as jokes are looked for in it: what its person and the companion said. */
function spokenOf({ turnId, conversationId, audience, personId, messages, endedAt }: ReadTurn): SpokenTurn {
  const theirs = messages.filter((message) => message.role === 'companion' || message.personId === personId);
  const at = Math.max(...theirs.filter(({ role }) => role === 'person').map((one) => Date.parse(one.at)));
  return {
    ...{ turnId, conversationId, audience, at: Number.isFinite(at) ? at : Date.parse(endedAt) },
    messages: theirs,
  };
}

/**
 * What the turn's person said. What the companion started, and what was dropped as no one's turn, is nothing
 * that was done to it.
 */
function saidIn({ messages, personId, outcome }: ReadTurn): ReadTurn['messages'] {
  if (outcome === 'dropped') return [];
  return messages.filter((message) => message.role === 'person' && message.personId === personId);
}

/** When the person had said it all, in milliseconds since the epoch. */
function endOf(turn: ReadTurn): number {
  return Math.max(...saidIn(turn).map(({ at }) => Date.parse(at)));
}
