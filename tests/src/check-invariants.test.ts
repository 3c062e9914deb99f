import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkInvariants, type Evidence, type RoundFacts } from '../faults/check-invariants.ts';
import { promptOf } from '../faults/collect-evidence.ts';
import { Ledger, answerOf, type LedgerEntry } from '../faults/ledger.ts';

let ledger: Ledger;
let ann: LedgerEntry;

/** A message that somebody sent. */
function say(person: string, place: string, round = 1): LedgerEntry {
  const mark = ledger.nextMark();
  return ledger.add({
    round,
    mark,
    door: place.startsWith('thread') ? 'http' : 'discord',
    messageId: `id-${mark}`,
    person,
    place,
    isDirect: !place.startsWith('channel'),
    secret: `sec${mark.slice(2, -1)}x123456`,
    sentAt: 0,
    takenBack: false,
    edits: 0,
    answers: [],
  });
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };

/** Evidence of a suite that did everything right. */
function cleanEvidence(entries: readonly LedgerEntry[]): Mutable<Evidence> {
  const turnIdOf = (entry: LedgerEntry) => `turn-${entry.mark}`;
  return {
    inbox: entries.map((entry, at) => ({
      id: at + 1,
      conversationId: entry.place,
      personId: entry.person,
      externalId: entry.messageId,
      outcome: 'answered',
      outcomeReason: null,
      turnId: turnIdOf(entry),
      overtaken: 0,
      revision: 0,
    })),
    turns: entries.map((entry, at) => ({
      turnId: turnIdOf(entry),
      conversationId: entry.place,
      personId: entry.person,
      outcome: 'answered',
      firstInboxId: at + 1,
      replyId: at + 1,
      reply: `I hear you: ${entry.mark}`,
    })),
    outbox: entries.map((entry) => ({
      turnId: turnIdOf(entry),
      status: 'delivered',
      lastError: null,
      platformIds: [`post-${entry.mark}`],
      text: `I hear you: ${entry.mark}`,
      posted: [`I hear you: ${entry.mark}`],
    })),
    said: entries.map((entry) => ({ turnId: turnIdOf(entry), text: `I hear you: ${entry.mark}` })),
    turnOf: new Map(entries.map((entry) => [entry.messageId, turnIdOf(entry)])),
    memories: entries.map((entry) => ({
      id: `memory-${entry.mark}`,
      personId: entry.person,
      audience: entry.isDirect ? 'direct' : entry.place,
      text: `my word is ${entry.secret}`,
    })),
    personOf: new Map(ledger.entries.map((entry) => [entry.messageId, entry.person])),
    listed: entries.map((entry) => ({ person: entry.person, text: `my word is ${entry.secret}` })),
    owners: new Map(entries.map((entry) => [`post-${entry.mark}`, 1])),
    missing: [],
    remembered: new Set(entries.map((entry) => entry.messageId)),
    deadTurns: new Set(),
    unindexed: [],
    orphanPoints: [],
    written: entries.map((entry) => ({
      id: `post-${entry.mark}`,
      place: entry.place,
      text: `I hear you: ${entry.mark}`,
      repliesTo: null,
    })),
    shown: entries.map((entry) => ({ place: entry.place, text: `I hear you: ${entry.mark}` })),
    prompts: entries.map((entry) => ({ marks: [entry.mark], text: `my word is ${entry.secret}` })),
    logs: '',
  };
}

function breachesOf(change: (evidence: Mutable<Evidence>, facts: RoundFacts) => void): string[] {
  const entries = ledger.ofRound(1);
  const facts: RoundFacts = {
    entries,
    ledger,
    mayFailDelivery: false,
    setsAside: 0,
    extraModelCalls: 1,
    invalidRequests: 0,
    identifies: 0,
    botStarts: 0,
  };
  const evidence = cleanEvidence(entries);
  change(evidence, facts);
  return checkInvariants(facts, evidence).map(({ invariant }) => invariant);
}

beforeEach(() => {
  ledger = new Ledger();
  ann = say('ann', 'dm:ann');
  say('ben', 'channel:general');
});

describe('checkInvariants', () => {
  it('finds nothing where nothing is', () => {
    expect(breachesOf(() => undefined)).toEqual([]);
  });

  it('sees a message that was never accepted, or has no outcome', () => {
    expect(breachesOf((evidence) => evidence.inbox.shift())).toContain('a message was never accepted');
    const open = breachesOf((evidence) => (evidence.inbox[0] = { ...evidence.inbox[0]!, outcome: null }));
    expect(open).toContain('an accepted message has no outcome');
  });

  it('sees a second answer in the transcript, in Discord, and of an earlier round', () => {
    const twice = breachesOf((evidence) => evidence.turns.push({ ...evidence.turns[0]!, turnId: 'other' }));
    expect(twice).toContain('a message was answered twice');
    const again = breachesOf((evidence) => evidence.written.push({ ...evidence.written[0]!, id: 'post-2' }));
    expect(again).toEqual(['a reply was written twice', 'a message in Discord belongs to no delivery']);
    const old = say('cat', 'dm:cat', 0);
    const repeat = breachesOf((evidence) =>
      evidence.said.push({ turnId: 'new', text: `I hear you: ${old.mark}` }),
    );
    expect(repeat).toContain('a message was answered by two turns');
  });

  it('sees that more was set aside than ended a process', () => {
    const setAside = (evidence: Mutable<Evidence>) => {
      evidence.remembered = new Set();
      for (const row of evidence.inbox)
        Object.assign(row, { outcome: 'apologised', outcomeReason: 'poison' });
      evidence.written.length = 0;
    };
    expect(breachesOf(setAside)).toEqual(Array(2).fill('a message was set aside that ended no process'));
    const both = (evidence: Mutable<Evidence>, facts: RoundFacts) => {
      setAside(evidence);
      facts.setsAside = 2;
    };
    expect(breachesOf(both)).toEqual([]);
  });

  it('sees an apology that belongs to nothing', () => {
    const surplus = breachesOf((evidence) =>
      evidence.written.push({
        id: 'post-9',
        place: 'dm:ann',
        text: 'Sorry, I lost my thread.',
        repliesTo: null,
      }),
    );
    expect(surplus).toEqual(['a message in Discord belongs to no delivery']);
  });

  it('sees a door that answers one message id in two ways', () => {
    ann.answers.push({ turnId: `turn-${ann.mark}`, reply: 'a' }, { turnId: `turn-${ann.mark}`, reply: 'b' });
    expect(breachesOf(() => undefined)).toContain('one message id was answered in two ways');
  });

  it('sees answers out of order', () => {
    const swapped = breachesOf((evidence) => {
      const speaker = { conversationId: 'same', personId: 'one' };
      evidence.turns[0] = { ...evidence.turns[0]!, ...speaker, replyId: 9 };
      evidence.turns[1] = { ...evidence.turns[1]!, ...speaker, replyId: 8 };
    });
    expect(swapped).toContain('answers out of order');
    const sideBySide = breachesOf((evidence) => {
      evidence.turns[0] = { ...evidence.turns[0]!, conversationId: 'same', personId: 'one', replyId: 9 };
      evidence.turns[1] = { ...evidence.turns[1]!, conversationId: 'same', personId: 'other', replyId: 8 };
    });
    expect(sideBySide).not.toContain('answers out of order');
  });

  it('sees a reply that refers to what somebody else said', () => {
    const [first, second] = ledger.ofRound(1);
    const wrong = breachesOf((evidence) => {
      const of = (entry: LedgerEntry) => evidence.written.find(({ id }) => id === `post-${entry.mark}`)!;
      of(first!).repliesTo = second!.messageId;
    });
    expect(wrong).toContain('a reply refers to another turn’s message');
    expect(
      breachesOf((evidence) => {
        const of = (entry: LedgerEntry) => evidence.written.find(({ id }) => id === `post-${entry.mark}`)!;
        of(first!).repliesTo = first!.messageId;
      }),
    ).toEqual([]);
  });

  it('sees a turn that nobody remembers, and stores that differ', () => {
    expect(breachesOf((evidence) => (evidence.remembered = new Set()))).toContain(
      'a turn was neither remembered nor listed as dead',
    );
    const takenBack = breachesOf((evidence, { entries }) => {
      evidence.remembered = new Set();
      for (const entry of entries) entry.takenBack = true;
    });
    expect(takenBack).not.toContain('a turn was neither remembered nor listed as dead');
    expect(breachesOf((evidence) => evidence.unindexed.push('m'))).toContain('a memory is not in the index');
    expect(breachesOf((evidence) => evidence.orphanPoints.push('m'))).toContain(
      'the index holds what is no memory',
    );
  });

  it('sees too many questions to the model, to Discord, and too many sessions', () => {
    const asked = breachesOf((evidence) => evidence.prompts.push(evidence.prompts[0]!, evidence.prompts[0]!));
    expect(asked).toContain('the model was asked too often');
    expect(breachesOf((_, facts) => (facts.invalidRequests = 100))).toContain('invalid Discord requests');
    expect(breachesOf((_, facts) => (facts.identifies = 2))).toContain('IDENTIFY more than once');
  });

  it('sees a delivery that failed, that is open, or of which nothing is in Discord', () => {
    const as = (row: Partial<Evidence['outbox'][number]>) =>
      breachesOf((evidence) => (evidence.outbox[0] = { ...evidence.outbox[0]!, ...row }));
    expect(as({ status: 'failed', lastError: 'gone' })).toContain('a delivery failed');
    expect(as({ status: 'pending' })).toContain('a delivery is open');
    expect(breachesOf((evidence) => evidence.missing.push('post-1'))).toContain(
      'what was delivered is not in Discord',
    );
  });

  it('sees a reply of which Discord shows other words than were to be sent', () => {
    const shown = (...posted: string[]) =>
      breachesOf((evidence) => (evidence.outbox[0] = { ...evidence.outbox[0]!, posted }));
    const other = ['a reply was delivered with other words'];
    expect(shown('I hear …')).toEqual(other);
    expect(shown('I hear you:')).toEqual(other);
    expect(shown('<@17> I hear you:', ann.mark)).toEqual([]);
  });

  it('sees a secret of any round with the wrong person', () => {
    const old = say('cat', 'dm:cat', 0);
    const leaks: [string, (evidence: Mutable<Evidence>) => void][] = [
      ['a secret is in the logs', (evidence) => (evidence.logs = old.secret)],
      [
        'a secret is in someone else’s prompt',
        ({ prompts }) => (prompts[0] = { ...prompts[0]!, text: old.secret }),
      ],
      [
        'a secret is in a prompt that nobody asked for',
        ({ prompts }) => (prompts[0] = { marks: [], text: old.secret }),
      ],
      ['a secret was told elsewhere', ({ shown }) => shown.push({ place: 'dm:ann', text: old.secret })],
      [
        'a secret is in someone else’s memory',
        ({ memories }) => (memories[0] = { ...memories[0]!, text: old.secret }),
      ],
      [
        'a secret is in another’s list of memories',
        ({ listed }) => listed.push({ person: 'ann', text: old.secret }),
      ],
      [
        'a secret left its audience',
        ({ memories }) => (memories[0] = { ...memories[0]!, audience: 'channel:general' }),
      ],
    ];
    for (const [invariant, leak] of leaks) expect(breachesOf(leak)).toContain(invariant);
    ann.answers.push({ turnId: `turn-${ann.mark}`, reply: old.secret });
    expect(breachesOf(() => undefined)).toContain('a secret was answered to another');
  });

  it('lets people hear in private what they said in a channel', () => {
    const said = say('ann', 'channel:general', 0);
    expect(breachesOf(({ prompts }) => (prompts[0] = { ...prompts[0]!, text: said.secret }))).toEqual([]);
  });
});

describe('promptOf', () => {
  it('knows a prompt by what was asked last, also behind a call of a tool', () => {
    const asked = [
      { role: 'user', text: '[m1] hello' },
      { role: 'assistant', text: 'hi' },
      { role: 'user', text: '[m2] and you?' },
    ];
    const call = [
      { role: 'assistant', text: '' },
      { role: 'tool', text: 'nothing found' },
    ];
    expect(promptOf(asked).marks).toEqual(['[m2]']);
    expect(promptOf([...asked, ...call]).marks).toEqual(['[m2]']);
  });

  it('takes the last line of the talk for the place of a heartbeat', () => {
    const messages = [
      { role: 'system', text: 'Who you are' },
      { role: 'user', text: '[m1] my word is a' },
      { role: 'user', text: '[m2] my word is b' },
      { role: 'assistant', text: 'I hear you: [m2]' },
      { role: 'user', text: '<memories>\n- [m3] my word is c\n</memories>' },
      { role: 'user', text: '<heartbeat>\nNobody waits.\n</heartbeat>' },
    ];
    expect(promptOf(messages).marks).toEqual(['[m2]']);
    expect(promptOf(messages.slice(4)).marks).toEqual([]);
  });
});

describe('answerOf', () => {
  it('repeats the marks it was asked, and in private every secret it was shown', () => {
    const messages = [
      { role: 'system', text: `earlier: ${ann.secret}` },
      { role: 'user', text: `${ann.mark} hello` },
    ];
    const answer = `I hear you: ${ann.mark} I remember ${ann.secret}.`;
    expect(answerOf(ledger, messages)).toBe(answer);
    const called = [...messages, { role: 'assistant', text: '' }, { role: 'tool', text: 'nothing found' }];
    expect(answerOf(ledger, called)).toBe(answer);
    const channel = ledger.entries[1]!;
    const inChannel = [
      { role: 'system', text: ann.secret },
      { role: 'user', text: channel.mark },
    ];
    expect(answerOf(ledger, inChannel)).toBe(`I hear you: ${channel.mark}`);
  });
});
