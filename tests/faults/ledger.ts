/** One message that somebody sent, as the harness knows it: what is found in the suite is held against this. */
export interface LedgerEntry {
  round: number;
  /** Stands in the text, so that prompts, replies and memories can be told whose they are. */
  mark: string;
  door: 'discord' | 'http';
  /** The door's own id of the message. */
  messageId: string;
  person: string;
  /** `dm:<person>`, `channel:<name>` or `thread:<person>`. */
  place: string;
  isDirect: boolean;
  /** Must never be seen outside the place it was said in, nor by anybody else. */
  secret: string;
  sentAt: number;
  /** Nobody promises an answer to what was taken back before it came. */
  takenBack: boolean;
  edits: number;
}

/** `[m17]`: in every message; the scripted model repeats the marks it was asked about last. */
export const MARK = /\[m\d+\]/g;

/** Everything the harness sent, over all rounds. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  #count = 0;

  nextMark(): string {
    this.#count += 1;
    return `[m${this.#count}]`;
  }

  add(entry: LedgerEntry): LedgerEntry {
    this.entries.push(entry);
    return entry;
  }

  ofRound(round: number): LedgerEntry[] {
    return this.entries.filter((entry) => entry.round === round);
  }
}
