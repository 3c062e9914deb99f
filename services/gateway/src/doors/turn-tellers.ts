import type { ChatEvent } from '@kith/contracts';

/**
 * Who tells of which turn, on one connection. A burst becomes one turn, and the call of each of its messages
 * hears all of the turn: without this, a client would get every token as often as it sent a message.
 */
export class TurnTellers<Call> {
  readonly #tellers = new Map<string, Call>();
  readonly #calls = new Set<Call>();

  begin(call: Call): void {
    this.#calls.add(call);
  }

  /** May this call pass the event on? How a turn ended is told for each message; its course once. */
  mayTell(call: Call, event: ChatEvent): boolean {
    if (event.type !== 'turn' && event.type !== 'token' && event.type !== 'restart') return true;
    const teller = this.#tellers.get(event.turnId);
    if (teller === undefined) this.#tellers.set(event.turnId, call);
    return teller === undefined || teller === call;
  }

  /** A turn is forgotten when no call is left that could tell of it late. */
  end(call: Call): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#tellers.clear();
  }
}
