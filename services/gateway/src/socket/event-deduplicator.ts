import type { ChatEvent } from '@kith/contracts';

/**
 * Lets each event of a turn through once per connection. A burst becomes one turn, and the call of each of its messages
 * hears the whole turn: without this, a client would get every token once per message.
 */
export class EventDeduplicator<Call> {
  private readonly tellers = new Map<string, Call>();
  private readonly calls = new Set<Call>();

  begin(call: Call): void {
    this.calls.add(call);
  }

  /** Tells whether this call sends the event: the end of a turn goes out for each message, everything before it once. */
  mayTell(call: Call, event: ChatEvent): boolean {
    if (event.type !== 'turn' && event.type !== 'token' && event.type !== 'restart') return true;
    const teller = this.tellers.get(event.turnId);
    if (teller === undefined) this.tellers.set(event.turnId, call);
    return teller === undefined || teller === call;
  }

  /** Ends a call. Turns are forgotten when no call is left that could tell of them late. */
  end(call: Call): void {
    this.calls.delete(call);
    if (this.calls.size === 0) this.tellers.clear();
  }
}
