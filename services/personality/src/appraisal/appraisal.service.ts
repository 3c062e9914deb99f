import { Injectable } from '@nestjs/common';
import {
  AppError,
  gatewayContract,
  memoryContract,
  personalityContract,
  type ReadTurn,
} from '@kith/contracts';
import { oneByOne, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { CompanionsService } from '../persona/companions.service.js';
import { beginsWithLaughter, findLaughedAt, type SpokenTurn } from '../relationship/shared-jokes.js';
import type { AffectRecords } from '../storage/affect-records.js';
import type { JokeRecords } from '../storage/joke-records.js';
import type { ProspectRecords } from '../storage/prospect-records.js';
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
    const unrecorded = new Set(await this.records.unrecorded(turnIds));
    const unfelt = turns.filter(({ turnId }) => unrecorded.has(turnId));
    const hidden = await this.#privateAmong(unfelt);
    const readings = await this.#read(unfelt.filter(({ turnId }) => !hidden.has(turnId)));
    await oneByOne(turns, async (turn) => {
      if (hidden.has(turn.turnId)) return this.records.skip(turn);
      const reading = readings.get(turn.turnId);
      if (reading !== null) return this.#feel(turn, reading ?? REPEATED);
      await this.records.skip(turn);
      throw new AppError(
        'invalid_request',
        `ended its reader twice, and is left unread: turn ${turn.turnId}`,
      );
    });
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
    const readings = await this.#read(open);
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

  /** Of turns that were not felt yet, those that are not to be: nothing of private talk is kept, no feeling either. */
  async #privateAmong(turns: readonly ReadTurn[]): Promise<Set<string>> {
    const found = new Set<string>();
    await oneByOne(turns, async (turn) => {
      const said = saidIn(turn);
      if (said.length === 0) return;
      const at = [turn.startedAt ?? turn.endedAt, ...said.map((message) => message.at)].slice(
        0,
        MAX_TIMES_ASKED,
      );
      const { personId } = turn;
      const { wasPrivate } = await this.messenger.ask(memoryContract.wasPrivate, { personId, at });
      if (wasPrivate) found.add(turn.turnId);
    });
    return found;
  }

  /**
   * Reads all turns of each companion together: they share what the model must be told. What one of them tells lies
   * ahead of none that is read with it.
   */
  async #read(turns: readonly ReadTurn[]): Promise<Map<string, ReadWithAhead | null>> {
    const readings = new Map<string, ReadWithAhead | null>();
    for (const { view } of this.companions.all()) {
      const theirs = turns.filter((turn) => turn.companionId === view.id && saidIn(turn).length > 0);
      const ahead: Ahead[] = [];
      await oneByOne(theirs, async (turn) => {
        ahead.push(await this.prospects.ahead(turn, endOf(turn)));
      });
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

  async #feel(turn: ReadTurn, { appraiser, appraisals: events, ahead }: ReadWithAhead): Promise<void> {
    const { turnId, companionId, personId, audience } = turn;
    const said = saidIn(turn);
    if (said.length === 0) return this.records.skip(turn);

    const companion = this.companions.get(companionId);
    const texts = said.map(({ text }) => text);
    const { appraisals, ...prospects } = weighProspects(texts, events, ahead.open);
    const messageIds = said.flatMap(({ externalId }) => externalId ?? []);
    const feelings = feelingsOf(appraisals);
    const endedAt = endOf(turn);
    // First: what is recorded is not read again.
    await this.#laugh(turn, endedAt);
    const recorded = await this.records.record(
      {
        ...{ turnId, companionId, personId, endedAt, appraiser, feelings },
        prospects: { ...prospects, audience, messageIds },
      },
      companion,
      Date.now(),
    );
    this.logger.info({ turnId, companionId, kind: recorded.kind, appraiser }, 'turn appraised');
    if (recorded.kind === 'history') return;
    const mood = describeMood(recorded.felt);
    await this.messenger.announce(personalityContract.moodChanged, { companionId, personId, turnId, mood });
  }

  /** Keeps what was laughed at, and what came back of it. */
  async #laugh(turn: ReadTurn, endedAt: number): Promise<void> {
    const { companionId, personId } = turn;
    const spoken = spokenOf(turn);
    const earlier = beginsWithLaughter(spoken)
      ? await this.jokes.turnBefore({ companionId, personId }, new Date(endedAt))
      : null;
    const before =
      earlier === null
        ? null
        : await this.messenger.ask(gatewayContract.readTurns, { turnIds: [earlier] }).then(
            ({ turns }) => turns[0] ?? null,
            // One that was deleted meanwhile.
            () => null,
          );
    await this.jokes.note(
      { companionId, personId },
      spoken,
      findLaughedAt(spoken, before && spokenOf(before)),
    );
  }
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
