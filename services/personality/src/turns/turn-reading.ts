import { type ReadTurn, saidByPerson, typedWords } from '@kith/contracts';
import type { OpenProspects } from '../affect/prospect.js';
import type { Companion } from '../persona/companion.js';
import type { TurnAppraisal } from '../reading/appraiser.js';
import { weighProspects } from '../reading/english/weigh-prospects.js';
import { feelingsOf } from '../affect/emotions-of.js';
import type { SpokenTurn } from '../reading/shared-jokes.js';
import type { AppraisedTurn } from '../store/save-felt.js';

/** A turn's reading, with the open prospects of its person. */
export interface ReadWithAhead extends TurnAppraisal {
  ahead: OpenProspects;
}

/** Combines a turn and its reading into what is felt. */
export function toAppraised(turn: ReadTurn, reading: ReadWithAhead, character: Companion): AppraisedTurn {
  const { turnId, companionId, personId } = turn;
  const { appraisals, ...prospects } = weighed(turn, reading);
  return {
    turnId,
    companionId,
    personId,
    character,
    version: character.view.version,
    prospects,
    appraiser: reading.appraiser,
    endedAt: endOf(turn),
    feelings: feelingsOf(appraisals),
  };
}

/** Weighs a turn's reading against the open prospects, with what is kept of the turn beside them. */
export function weighed(turn: ReadTurn, { appraisals, ahead }: ReadWithAhead) {
  const said = saidIn(turn);
  const texts = said.map(({ text }) => text);
  const messageIds = said.flatMap(({ externalId }) => externalId ?? []);
  return { ...weighProspects(texts, appraisals, ahead.open), audience: turn.audience, messageIds };
}

/** Gives the words that jokes are looked for in: those of the person and of the companion. */
export function toSpoken({ personId, messages, endedAt, ...turn }: ReadTurn): SpokenTurn {
  const { turnId, conversationId, audience } = turn;
  const theirs = messages
    .filter((message) => message.role === 'companion' || message.personId === personId)
    .map((message) => (message.role === 'companion' ? message : asTyped(message)));
  const at = Math.max(...theirs.filter(({ role }) => role === 'person').map((one) => Date.parse(one.at)));
  return {
    turnId,
    conversationId,
    audience,
    at: Number.isFinite(at) ? at : Date.parse(endedAt),
    messages: theirs,
  };
}

/**
 * Selects what the turn's person said, as they typed it. In a turn that the companion started, or that was dropped as
 * no one's, nobody did anything to the companion.
 */
export function saidIn(turn: ReadTurn): ReadTurn['messages'] {
  return turn.outcome === 'dropped' ? [] : saidByPerson(turn).map(asTyped);
}

function asTyped(message: ReadTurn['messages'][number]): ReadTurn['messages'][number] {
  return { ...message, text: typedWords(message.text) };
}

/** Returns the time of the person's last words, in milliseconds since the epoch. */
export function endOf(turn: ReadTurn): number {
  return Math.max(...saidIn(turn).map(({ at }) => Date.parse(at)));
}
