import type { ReadTurn } from './read-turn.js';

/** The most times of a turn that memory is asked about; a burst has far fewer messages. */
export const MAX_TIMES_ASKED = 500;

/** Selects what a turn's own person said in it. */
export function saidByPerson({ messages, personId }: ReadTurn): ReadTurn['messages'] {
  return messages.filter((message) => message.role === 'person' && message.personId === personId);
}

/** Builds the request of `memory.was-private`: the times at which these turns began and their people spoke. */
export function privacyRequest(turns: readonly ReadTurn[]): { turns: { personId: string; at: string[] }[] } {
  return {
    turns: turns.map((turn) => {
      const times = [turn.startedAt ?? turn.endedAt, ...saidByPerson(turn).map(({ at }) => at)];
      return { personId: turn.personId, at: times.slice(0, MAX_TIMES_ASKED) };
    }),
  };
}
