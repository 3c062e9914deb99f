/** One message that somebody sent, as the harness knows it: what is found in the suite is held against this. */
export interface LedgerEntry {
  round: number;
  /** Stands in the text, so that prompts, replies and memories can be told whose they are. */
  mark: string;
  door: 'discord' | 'http' | 'websocket';
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
  /** Answers of a door that answers by itself, each time it was asked under this id. */
  answers: { turnId: string; reply: string }[];
}

/** `[m17]`: in every message; the scripted model repeats the marks it was asked about last. */
export const MARK = /\[m\d+\]/g;
export const SECRET = /sec\d+x\d{6}/g;

/** Everything the harness sent, over all rounds. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  private readonly byMark = new Map<string, LedgerEntry>();
  private readonly bySecret = new Map<string, LedgerEntry>();
  private count = 0;

  nextMark(): string {
    this.count += 1;
    return `[m${this.count}]`;
  }

  add(entry: LedgerEntry): LedgerEntry {
    this.entries.push(entry);
    this.byMark.set(entry.mark, entry);
    this.bySecret.set(entry.secret, entry);
    return entry;
  }

  ofRound(round: number): LedgerEntry[] {
    return this.entries.filter((entry) => entry.round === round);
  }

  /** The messages whose marks stand in a text. */
  markedIn(text: string): LedgerEntry[] {
    return found(text, MARK, this.byMark);
  }

  /** The messages, of any round, whose secrets stand in a text. */
  secretsIn(text: string): LedgerEntry[] {
    return found(text, SECRET, this.bySecret);
  }
}

function found(text: string, what: RegExp, among: ReadonlyMap<string, LedgerEntry>): LedgerEntry[] {
  const names = new Set(text.match(what));
  return [...names].flatMap((name) => among.get(name) ?? []);
}

/**
 * The scripted model's answer: the marks it was asked about, and in private every secret it was shown, so that one it
 * should not have been shown is seen at the door as well. What was asked may have a call and its result behind it.
 */
export function answerOf(ledger: Ledger, messages: readonly { role: string; text: string }[]): string {
  const askedAt = messages.findLastIndex(({ role }) => role === 'user');
  const asked = ledger.markedIn(messages[askedAt]?.text ?? '');
  const isDirect = asked.length > 0 && asked.every((entry) => entry.isDirect);
  const others = messages.filter((_, at) => at !== askedAt);
  const shown = isDirect ? others.flatMap(({ text }) => text.match(SECRET) ?? []) : [];
  const marks = asked.map(({ mark }) => mark).join(' ');
  return `I hear you: ${marks}${shown.length > 0 ? ` I remember ${[...new Set(shown)].slice(-3).join(', ')}.` : ''}`;
}
