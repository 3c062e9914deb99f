import type { Ledger, LedgerEntry } from './ledger.ts';

/** State of the stores and doubles after a round, as far as it concerns the round's messages. */
export interface Evidence {
  inbox: readonly {
    id: number;
    conversationId: string;
    personId: string;
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
    personId: string;
    outcome: string;
    firstInboxId: number;
    /** Id of the companion's line in the transcript; null when it said nothing. */
    replyId: number | null;
    reply: string | null;
  }[];
  outbox: readonly {
    turnId: string;
    status: string;
    lastError: string | null;
    platformIds: string[];
    text: string;
    /** Words of its messages as they stand in Discord now. */
    posted: readonly string[];
  }[];
  /** Every line of the companion since the round began, whatever it answers; and the turn that ended each message. */
  said: readonly { turnId: string; text: string }[];
  turnOf: ReadonlyMap<string, string | null>;
  /** Every memory there is, by all rounds. */
  memories: readonly { id: string; personId: string; audience: string; text: string }[];
  /** Owner of each secret, as the suite knows people, by the message it was said in. */
  personOf: ReadonlyMap<string, string>;
  /** Memories the API shows to each person. */
  listed: readonly { person: string; text: string }[];
  /** Number of deliveries that claim each message in Discord. */
  owners: ReadonlyMap<string, number>;
  /** Messages in Discord that deliveries of this round claim, and that are not there. */
  missing: readonly string[];
  /** Sources of every memory and of every job that is listed as dead. */
  remembered: ReadonlySet<string>;
  deadTurns: ReadonlySet<string>;
  /** Ids of memories that are in one of the stores alone. */
  unindexed: readonly string[];
  orphanPoints: readonly string[];
  /** All that the companion wrote in Discord since the round began, in order. */
  written: readonly { id: string; place: string; text: string; repliesTo: string | null }[];
  /** All words that its messages had since then, also where they were changed or deleted later. */
  shown: readonly { place: string; text: string }[];
  /** Prompts: whom they were for, and all their text. */
  prompts: readonly { marks: readonly string[]; text: string }[];
  logs: string;
}

export interface RoundFacts {
  entries: readonly LedgerEntry[];
  /** Messages sent in all rounds. */
  ledger: Ledger;
  mayFailDelivery: boolean;
  /** Messages that may be set aside at most. */
  setsAside: number;
  /** Model calls allowed for one message beyond its turn's own. */
  extraModelCalls: number;
  /** In the last ten minutes, over all rounds. */
  invalidRequests: number;
  identifies: number;
  /** Starts of the bot's process: each begins a session of its own once it has resumed the old one. */
  botStarts: number;
}

export interface Breach {
  invariant: string;
  messageId: string | null;
  detail: string;
}

/** Reason of an outcome: whoever worked on the message died of it, or failed, every time. */
const SET_ASIDE = 'poison';
/** Discord bans an address at 10,000 in ten minutes; we mean to stay far below. */
const MAX_INVALID_REQUESTS = 100;

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
    // What its person took back after the answer is gone, as it should be; what is set aside, no reader is to meet again.
    const isKept =
      entry.takenBack || row.outcomeReason === SET_ASIDE || evidence.remembered.has(entry.messageId);
    if (heard && turn && !isKept && !evidence.deadTurns.has(turn.turnId)) {
      breach('a turn was neither remembered nor listed as dead', entry.messageId, turn.turnId);
    }
    checkAnswers(entry, row.outcome, facts, evidence, breach);
    const asked = evidence.prompts.filter(({ marks }) => marks.includes(entry.mark)).length;
    const allowed = 1 + facts.extraModelCalls + row.overtaken + row.revision;
    if (asked > allowed) {
      breach('the model was asked too often', entry.messageId, `${asked} times, ${allowed} allowed`);
    }
  }
  const setAside = evidence.inbox.filter(({ outcomeReason }) => outcomeReason === SET_ASIDE);
  for (const { externalId } of setAside.slice(facts.setsAside))
    breach('a message was set aside that ended no process', externalId, `${setAside.length} in all`);
  checkOrder(evidence, breach);
  checkDeliveries(facts, evidence, breach);
  checkRepeats(facts.ledger, evidence, breach);
  checkSecrets(facts.ledger, evidence, breach);
  for (const id of evidence.unindexed) breach('a memory is not in the index', null, id);
  for (const id of evidence.orphanPoints) breach('the index holds what is no memory', null, id);
  if (facts.invalidRequests >= MAX_INVALID_REQUESTS) {
    breach('invalid Discord requests', null, String(facts.invalidRequests));
  }
  if (facts.identifies > Math.max(1, facts.botStarts))
    breach('IDENTIFY more than once', null, String(facts.identifies));
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
  const answers = new Set(entry.answers.map(({ turnId, reply }) => `${turnId} ${reply}`));
  if (answers.size > 1)
    breach('one message id was answered in two ways', entry.messageId, [...answers].join(' | '));
  if (entry.answers.some(({ turnId }) => turnId !== evidence.turnOf.get(entry.messageId))) {
    breach('a door answered with another turn', entry.messageId, [...answers].join(' | '));
  }
  if (entry.door !== 'discord') return;
  const written = evidence.written.filter(({ text }) => text.includes(entry.mark));
  if (written.length > 1) breach('a reply was written twice', entry.messageId, `${written.length} messages`);
  const turnId = evidence.turnOf.get(entry.messageId);
  for (const { repliesTo } of written) {
    if (repliesTo !== null && evidence.turnOf.get(repliesTo) !== turnId)
      breach('a reply refers to another turn’s message', entry.messageId, repliesTo);
  }
  if (outcome === 'answered' && written.length === 0 && !facts.mayFailDelivery) {
    breach('a reply was never written', entry.messageId, entry.place);
  }
  if (outcome !== 'answered' && written.length > 0) {
    breach('answered, and ended otherwise as well', entry.messageId, outcome);
  }
}

/** People of one channel are answered side by side, each of them in order. */
function checkOrder({ turns }: Evidence, breach: Report) {
  const bySpeaker = Map.groupBy(turns, ({ conversationId, personId }) => `${conversationId} ${personId}`);
  for (const [speaker, all] of bySpeaker) {
    const replies = all
      .filter(({ replyId }) => replyId !== null)
      .toSorted((a, b) => a.firstInboxId - b.firstInboxId)
      .map(({ replyId }) => replyId!);
    if (replies.some((id, at) => at > 0 && id < replies[at - 1]!)) {
      breach('answers out of order', null, speaker);
    }
  }
}

/** Checks that each answer belongs to the turn that ended its message, of this round or an earlier one. */
function checkRepeats(ledger: Ledger, { said, turnOf }: Evidence, breach: Report) {
  for (const { turnId, text } of said) {
    for (const { messageId } of ledger.markedIn(text)) {
      const endedBy = turnOf.get(messageId);
      if (endedBy !== turnId)
        breach('a message was answered by two turns', messageId, `${turnId}, ${endedBy ?? 'none'}`);
    }
  }
}

/** Strips a reply to what can be compared: it may name whom it answers, and is cut at spaces. No reply of a round has code. */
function wordsOf(text: string): string {
  return text.replace(/^<@\d+>/, '').replaceAll(/\s/g, '');
}

/** Checks that Discord holds exactly what the outbox says was delivered, each message in one row. */
function checkDeliveries(facts: RoundFacts, { outbox, written, owners, missing }: Evidence, breach: Report) {
  const perTurn = new Map<string, number>();
  // Where every model is down for a moment, the apology may be there before its message is taken back: its row has no words
  // any more then, nor has one that says the same.
  const isTakenBack = facts.entries.some(({ takenBack }) => takenBack);
  for (const row of outbox) {
    perTurn.set(row.turnId, (perTurn.get(row.turnId) ?? 0) + 1);
    if (row.status === 'failed' && !facts.mayFailDelivery) {
      breach('a delivery failed', null, `${row.turnId}: ${row.lastError ?? 'no reason'}`);
    }
    const isEmptied = isTakenBack && row.text === '';
    if (row.status === 'delivered' && !isEmptied && wordsOf(row.posted.join('')) !== wordsOf(row.text)) {
      breach('a reply was delivered with other words', null, `${row.turnId}: ${row.posted.join(' | ')}`);
    }
    if (row.status !== 'delivered' && row.status !== 'failed') breach('a delivery is open', null, row.turnId);
    if (row.status === 'failed' && !row.lastError)
      breach('a failed delivery has no reason', null, row.turnId);
  }
  for (const [turnId, count] of perTurn) {
    if (count > 1) breach('a turn has two deliveries', null, turnId);
  }
  for (const { id, text } of written) {
    if ((owners.get(id) ?? 0) !== 1) {
      breach('a message in Discord belongs to no delivery', null, `${id}: ${text.slice(0, 80)}`);
    }
  }
  for (const id of missing) breach('what was delivered is not in Discord', null, id);
}

/**
 * Nobody's secret in front of anybody else, whenever it was said: neither in what the model saw nor in what was
 * written, logged, remembered or shown by the API.
 */
function checkSecrets(ledger: Ledger, evidence: Evidence, breach: Report) {
  for (const { messageId, secret } of ledger.secretsIn(evidence.logs)) {
    breach('a secret is in the logs', messageId, secret);
  }
  for (const prompt of evidence.prompts) {
    const about = ledger.markedIn(prompt.marks.join(' '))[0];
    for (const said of ledger.secretsIn(prompt.text)) {
      if (!about) breach('a secret is in a prompt that nobody asked for', said.messageId, said.place);
      else if (!mayHear(about, said)) {
        breach('a secret is in someone else’s prompt', said.messageId, `${said.place} in ${about.place}`);
      }
    }
  }
  for (const { place, text } of evidence.shown) {
    const listener = { place, person: place.replace(/^dm:/, ''), isDirect: place.startsWith('dm:') };
    for (const said of ledger.secretsIn(text)) {
      if (!mayHear(listener, said))
        breach('a secret was told elsewhere', said.messageId, `${said.place} in ${place}`);
    }
  }
  for (const entry of ledger.entries) {
    for (const { reply } of entry.answers) {
      for (const said of ledger.secretsIn(reply)) {
        if (!mayHear(entry, said)) breach('a secret was answered to another', said.messageId, entry.place);
      }
    }
  }
  for (const { id, personId, audience, text } of evidence.memories) {
    for (const said of ledger.secretsIn(text)) {
      const owner = evidence.personOf.get(said.messageId);
      if (owner !== undefined && owner !== personId)
        breach('a secret is in someone else’s memory', said.messageId, id);
      if (said.isDirect && audience !== 'direct')
        breach('a secret left its audience', said.messageId, audience);
    }
  }
  for (const { person, text } of evidence.listed) {
    for (const said of ledger.secretsIn(text)) {
      if (said.person !== person) breach('a secret is in another’s list of memories', said.messageId, person);
    }
  }
}

/** In the place it was said; and what a person said in a channel, in their own DM. */
function mayHear(listener: Pick<LedgerEntry, 'place' | 'isDirect' | 'person'>, said: LedgerEntry): boolean {
  if (listener.place === said.place) return true;
  return listener.isDirect && !said.isDirect && listener.person === said.person;
}
