import type { LedgerEntry } from './ledger.ts';

/** What the stores and the doubles hold after a round, as far as it concerns the round's messages. */
export interface Evidence {
  inbox: readonly {
    id: number;
    conversationId: string;
    externalId: string;
    outcome: string | null;
    outcomeReason: string | null;
    turnId: string | null;
    overtaken: number;
    revision: number;
  }[];
  turns: readonly {
    turnId: string;
    conversationId: string;
    outcome: string;
    firstInboxId: number;
    /** Of the companion's line in the transcript; null when it said nothing. */
    replyId: number | null;
    reply: string | null;
  }[];
  outbox: readonly {
    turnId: string;
    status: string;
    lastError: string | null;
    platformIds: string[];
    text: string;
  }[];
  /** Sources of every memory and of every job that is listed as dead. */
  remembered: ReadonlySet<string>;
  deadTurns: ReadonlySet<string>;
  /** Ids of memories that are in one of the stores alone. */
  unindexed: readonly string[];
  orphanPoints: readonly string[];
  /** What the companion wrote in Discord, in order. */
  written: readonly { id: string; place: string; text: string; repliesTo: string | null }[];
  /** Prompts: whom they were for, and all their text. */
  prompts: readonly { marks: readonly string[]; text: string }[];
  logs: string;
}

export interface RoundFacts {
  entries: readonly LedgerEntry[];
  mayFailDelivery: boolean;
  /** How often the model may be asked about one message beyond its turn's own time. */
  extraModelCalls: number;
  invalidRequests: number;
  identifies: number;
}

export interface Breach {
  invariant: string;
  messageId: string | null;
  detail: string;
}

/** Discord bans an address at 10,000 in ten minutes; we mean to stay far below. */
const MOST_INVALID_REQUESTS = 100;

/** Every invariant of the design, against what is found. Pure. */
export function checkInvariants(facts: RoundFacts, evidence: Evidence): Breach[] {
  const breaches: Breach[] = [];
  const breach = (invariant: string, messageId: string | null, detail: string) =>
    breaches.push({ invariant, messageId, detail });
  const rows = new Map(evidence.inbox.map((row) => [row.externalId, row]));
  const turns = new Map(evidence.turns.map((turn) => [turn.turnId, turn]));

  for (const entry of facts.entries) {
    const row = rows.get(entry.messageId);
    if (!row) {
      if (!entry.takenBack) breach('a message was never accepted', entry.messageId, entry.place);
      continue;
    }
    if (row.outcome === null) {
      breach('an accepted message has no outcome', entry.messageId, entry.place);
      continue;
    }
    const turn = turns.get(row.turnId ?? '');
    if (!turn) breach('an outcome has no turn', entry.messageId, row.outcome);
    const heard = row.outcome === 'answered' || row.outcome === 'apologised';
    if (heard && turn && !evidence.remembered.has(entry.messageId) && !evidence.deadTurns.has(turn.turnId)) {
      breach('a turn was neither remembered nor listed as dead', entry.messageId, turn.turnId);
    }
    checkAnswers(entry, row.outcome, facts, evidence, breach);
    const asked = evidence.prompts.filter(({ marks }) => marks.includes(entry.mark)).length;
    const allowed = 1 + facts.extraModelCalls + row.overtaken + row.revision;
    if (asked > allowed) {
      breach('the model was asked too often', entry.messageId, `${asked} times, ${allowed} allowed`);
    }
  }
  checkOrder(evidence, breach);
  checkDeliveries(facts, evidence, breach);
  checkSecrets(facts.entries, evidence, breach);
  for (const id of evidence.unindexed) breach('a memory is not in the index', null, id);
  for (const id of evidence.orphanPoints) breach('the index holds what is no memory', null, id);
  if (facts.invalidRequests >= MOST_INVALID_REQUESTS) {
    breach('invalid Discord requests', null, String(facts.invalidRequests));
  }
  if (facts.identifies > 1) breach('IDENTIFY more than once', null, String(facts.identifies));
  return breaches;
}

type Report = (invariant: string, messageId: string | null, detail: string) => void;

/** One answer per message: by the transcript for every door, and in Discord by what was really written. */
function checkAnswers(
  entry: LedgerEntry,
  outcome: string,
  facts: RoundFacts,
  evidence: Evidence,
  breach: Report,
) {
  const replies = evidence.turns.filter(({ reply }) => reply?.includes(entry.mark));
  if (replies.length > 1) breach('a message was answered twice', entry.messageId, `${replies.length} turns`);
  if (outcome === 'answered' && replies.length === 0) {
    breach('an answered message has no answer', entry.messageId, entry.place);
  }
  if (entry.door !== 'discord') return;
  const written = evidence.written.filter(({ text }) => text.includes(entry.mark));
  if (written.length > 1) breach('a reply was written twice', entry.messageId, `${written.length} messages`);
  if (outcome === 'answered' && written.length === 0 && !facts.mayFailDelivery) {
    breach('a reply was never written', entry.messageId, entry.place);
  }
  if (outcome !== 'answered' && written.length > 0) {
    breach('answered, and ended otherwise as well', entry.messageId, outcome);
  }
}

function checkOrder({ turns }: Evidence, breach: Report) {
  const byConversation = Map.groupBy(turns, ({ conversationId }) => conversationId);
  for (const [conversationId, all] of byConversation) {
    const replies = all
      .filter(({ replyId }) => replyId !== null)
      .toSorted((a, b) => a.firstInboxId - b.firstInboxId)
      .map(({ replyId }) => replyId!);
    if (replies.some((id, at) => at > 0 && id < replies[at - 1]!)) {
      breach('answers out of order', null, conversationId);
    }
  }
}

/** What is in Discord is what the outbox says was delivered, each message in one row. */
function checkDeliveries(facts: RoundFacts, { outbox, written }: Evidence, breach: Report) {
  const owners = new Map<string, number>();
  for (const row of outbox) {
    for (const id of row.platformIds) owners.set(id, (owners.get(id) ?? 0) + 1);
    if (row.status === 'failed' && !facts.mayFailDelivery) {
      breach('a delivery failed', null, `${row.turnId}: ${row.lastError ?? 'no reason'}`);
    }
    if (row.status !== 'delivered' && row.status !== 'failed') breach('a delivery is open', null, row.turnId);
    if (row.status === 'failed' && !row.lastError)
      breach('a failed delivery has no reason', null, row.turnId);
  }
  for (const { id, text } of written) {
    if ((owners.get(id) ?? 0) !== 1) {
      breach('a message in Discord belongs to no delivery', null, `${id}: ${text.slice(0, 80)}`);
    }
  }
}

/** Nobody's secret in front of anybody else: neither in what the model saw nor in what was written or logged. */
function checkSecrets(entries: readonly LedgerEntry[], evidence: Evidence, breach: Report) {
  const byMark = new Map(entries.map((entry) => [entry.mark, entry]));
  for (const entry of entries) {
    if (evidence.logs.includes(entry.secret))
      breach('a secret is in the logs', entry.messageId, entry.secret);
    for (const prompt of evidence.prompts) {
      if (!prompt.text.includes(entry.secret)) continue;
      const about = prompt.marks.map((mark) => byMark.get(mark)).find((found) => found !== undefined);
      if (about && !mayHear(about, entry)) {
        breach('a secret is in someone else’s prompt', entry.messageId, `${entry.place} in ${about.place}`);
      }
    }
    for (const { place, text } of evidence.written) {
      if (text.includes(entry.secret) && place !== entry.place) {
        breach('a secret was told elsewhere', entry.messageId, `${entry.place} in ${place}`);
      }
    }
  }
}

/** In the place it was said; and what a person said in a channel, in their own DM. */
function mayHear(listener: LedgerEntry, said: LedgerEntry): boolean {
  if (listener.place === said.place) return true;
  return listener.isDirect && !said.isDirect && listener.person === said.person;
}
