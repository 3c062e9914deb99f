import { Injectable } from '@nestjs/common';
import { gatewayContract, personalityContract, type ReadTurn } from '@kith/contracts';
import { oneByOne, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { CompanionsService } from '../persona/companions.service.js';
import type { AffectRecords } from '../storage/affect-records.js';
import type { Appraiser } from './appraiser.js';
import { describeMood } from './describe-mood.js';
import { feelingsOf } from './feelings.js';

/** Reads finished turns and lets them be felt. */
@Injectable()
export class AppraisalService {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionsService,
    private readonly appraiser: Appraiser,
    private readonly records: AffectRecords,
    private readonly logger: Logger,
  ) {}

  /**
   * Appraises what people said in these turns, records it and announces the moods it left. Bears repeats: a turn
   * is felt once, and a repeat announces the mood again, in case the first try ended between the two.
   * @throws AppError of `gateway.read-turns`, and `not_found` for a companion that has left
   */
  async appraise(turnIds: string[]): Promise<void> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
    const unfelt = new Set(await this.records.unrecorded(turnIds));
    await oneByOne(turns, (turn) => this.#appraise(turn, !unfelt.has(turn.turnId)));
  }

  async #appraise(turn: ReadTurn, isRepeat: boolean): Promise<void> {
    const { turnId, companionId, personId } = turn;
    const said = turn.messages.filter(
      (message) => message.role === 'person' && message.personId === personId,
    );
    // What the companion started, and what was dropped as no one's turn, is nothing that was done to it.
    if (said.length === 0 || turn.outcome === 'dropped') return this.records.skip(turn);

    const companion = this.companions.get(companionId);
    const reading = isRepeat
      ? { appraiser: 'rules' as const, appraisals: [] }
      : await this.appraiser.read(
          said.map(({ text }) => text),
          companion.view.name,
        );
    const feelings = feelingsOf(reading.appraisals);
    const endedAt = Math.max(...said.map(({ at }) => Date.parse(at)));
    const recorded = await this.records.record(
      { turnId, companionId, personId, endedAt, appraiser: reading.appraiser, feelings },
      companion.temperament,
      Date.now(),
    );
    this.logger.info(
      { turnId, companionId, kind: recorded.kind, appraiser: reading.appraiser },
      'turn appraised',
    );
    if (recorded.kind === 'history') return;
    const mood = describeMood(recorded.felt);
    await this.messenger.announce(personalityContract.moodChanged, { companionId, personId, turnId, mood });
  }
}
