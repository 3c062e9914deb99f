import { eventually } from '@kith/testing';
import type { FaultSuite } from '../faults/fault-suite.ts';
import type { Place, Teller } from './teller.ts';

/** A way in which what was told is not to be told any more. */
export interface ForgettingKind {
  name: string;
  /** Places where it may be told. */
  places: readonly Place[];
  /** Places where it is asked for afterwards; everywhere by default. */
  asksAt?: readonly Place[];
  /** Places where it is not to be told (as `findTold` names them), while other places may tell it; everywhere by default. */
  where?: RegExp;
  /** Only what is kept already can be forgotten so. */
  waits?: boolean;
  /** Before the word is told. */
  prepare?: (teller: Teller) => Promise<void>;
  /** Way it comes to be told; by its person, by default. */
  tell?: (teller: Teller, suite: FaultSuite) => Promise<void>;
  /** True for what was told in no prompt before, and `tell` has seen that it was told. */
  isProven?: boolean;
  /** Resolves when it is forgotten. */
  forget: (teller: Teller, suite: FaultSuite) => Promise<void>;
  /** Undoes it, after questions have been asked. */
  undo?: (teller: Teller) => Promise<void>;
  /** Nothing of it stays in the database, not even sealed. */
  isForGood?: boolean;
}

export const EVERYWHERE: readonly Place[] = ['DM', 'channel', 'HTTP', 'WebSocket'];
const AT_DISCORD: readonly Place[] = ['DM', 'channel'];
/** Jobs of a busy machine, and a sweeper that looks every 15 s. */
const CARRIED_OUT_WITHIN_MS = 60_000;

const receipts = new WeakMap<Teller, string>();

/** Forgets over HTTP, and keeps the receipt. */
async function forget(teller: Teller, what: Record<string, unknown>): Promise<void> {
  const answer = (await teller.api('POST', '/v1/memories/forget', what)) as {
    rows: number;
    receipt: string | null;
  };
  if (answer.receipt === null) throw new Error(`nothing was forgotten: ${JSON.stringify(what)}`);
  receipts.set(teller, answer.receipt);
}

/** Forgets the memories that hold the word, by their ids. */
async function forgetById(teller: Teller, options: { keepTalk?: boolean } = {}): Promise<void> {
  const ids = await eventually(
    'the word is remembered',
    async () => {
      const { memories } = (await teller.api('GET', '/v1/memories?limit=100')) as {
        memories: { id: string; text: string }[];
      };
      const found = memories.filter(({ text }) => text.includes(teller.word)).map(({ id }) => id);
      return found.length > 0 && found;
    },
    CARRIED_OUT_WITHIN_MS,
  );
  await forget(teller, { ids, ...options });
}

const undo = async (teller: Teller, awaits = 200): Promise<void> => {
  await teller.api('POST', '/v1/memories/forget/undo', { receipt: receipts.get(teller) }, awaits);
};

/** Waits until an order that a change at Discord left is carried out. */
async function isRevised(teller: Teller, suite: FaultSuite, reason: 'edited' | 'deleted'): Promise<void> {
  await eventually(
    `what was ${reason} is forgotten`,
    async () => {
      const rows = await suite.query(
        'SELECT 1 FROM forget_orders WHERE person_id = $1 AND reason = $2 AND finished_at IS NOT NULL',
        [teller.personId, reason],
      );
      return rows.length > 0;
    },
    CARRIED_OUT_WITHIN_MS,
  );
}

/** Waits until a person is erased, and has whoever speaks for their accounts be somebody new. */
async function becomeNew(teller: Teller, suite: FaultSuite): Promise<void> {
  await eventually(
    'the person is erased',
    async () => {
      const rows = await suite.query(
        'SELECT 1 FROM erasures WHERE erased_id = $1 AND finished_at IS NOT NULL',
        [teller.personId],
      );
      return rows.length > 0;
    },
    CARRIED_OUT_WITHIN_MS,
  );
  await teller.begin();
}

async function setPrivate(teller: Teller, on: boolean): Promise<void> {
  if (AT_DISCORD.includes(teller.place)) await teller.command('private', { on });
  else await teller.api('PUT', '/v1/memories/privacy', { private: on });
}

/** Tells the word where it is told, and has a reply in the DM repeat it. */
async function tellAndRepeat(teller: Teller, suite: FaultSuite): Promise<void> {
  await teller.tell();
  const { message, messageId } = teller;
  await eventually(
    'the word is repeated',
    async () => {
      await teller.say('DM', `Which word did I tell you about ${teller.topic}?`);
      const rows = await suite.query(
        `SELECT 1 FROM transcript JOIN conversations USING (conversation_id)
         WHERE kind = 'direct' AND role = 'companion' AND text LIKE $1`,
        [`%${teller.word}%`],
      );
      return rows.length > 0;
    },
    CARRIED_OUT_WITHIN_MS,
  );
  // Written with that reply in view.
  await teller.say('DM', 'Repeat everything that was said here, word by word.');
  Object.assign(teller, { message, messageId });
}

/** Tells the word in the channel, and has a reply to another member repeat it. */
async function tellAndRepeatToOther(teller: Teller, suite: FaultSuite): Promise<void> {
  await teller.tell();
  await eventually(
    'the word is repeated to another member',
    async () => {
      await teller.otherAsks('Repeat everything that was said here, word by word.');
      const rows = await suite.query(
        `SELECT 1 FROM transcript WHERE role = 'companion' AND person_id <> $1 AND text LIKE $2`,
        [teller.personId, `%${teller.word}%`],
      );
      return rows.length > 0;
    },
    CARRIED_OUT_WITHIN_MS,
  );
}

/** Has the bot removed from the server in which the word was told. */
async function leaveServer(teller: Teller, suite: FaultSuite): Promise<void> {
  suite.discord.removeBot(teller.guild);
  await eventually(
    'the server is known to be left',
    async () => {
      const orders = await suite.query('SELECT 1 FROM outreach_left_places WHERE audience LIKE $1', [
        `%${teller.channel.id}%`,
      ]);
      const repeated = await suite.query(
        `SELECT 1 FROM transcript JOIN conversations USING (conversation_id)
         WHERE kind = 'direct' AND withheld IS NULL AND text LIKE $1`,
        [`%${teller.word}%`],
      );
      return orders.length > 0 && repeated.length === 0;
    },
    CARRIED_OUT_WITHIN_MS,
  );
}

/** Text of a message after its edit. */
function otherWords({ message, topic }: Teller): string {
  const [mark] = message!.content.match(/\[f\d+\]/) ?? [];
  return `${mark} I was thinking of ${topic}, never mind.`;
}

/** Moves the time of a person's orders and of what they sealed, as if ten minutes had gone by. */
async function letTheUndoPass(teller: Teller, suite: FaultSuite): Promise<void> {
  const late = `now() - interval '1 second'`;
  await suite.query(`UPDATE forget_orders SET undo_until = ${late} WHERE person_id = $1`, [teller.personId]);
  for (const table of [
    'sealed_lines',
    'memory_sealed_rows',
    'personality_sealed_rows',
    'outreach_sealed_rows',
  ]) {
    await suite.query(`UPDATE ${table} SET until = ${late} WHERE person_id = $1`, [teller.personId]);
  }
}

/** Every way to forget there is. */
export const FORGETTING_KINDS: readonly ForgettingKind[] = [
  { name: 'forgotten by id', places: EVERYWHERE, forget: (teller) => forgetById(teller) },
  // Among the first, so that its words are burnt while others are played.
  {
    name: 'forgotten past its undo',
    places: EVERYWHERE,
    isForGood: true,
    async forget(teller, suite) {
      await forgetById(teller);
      await letTheUndoPass(teller, suite);
      await undo(teller, 404);
    },
  },
  {
    name: 'forgotten by message',
    places: EVERYWHERE,
    forget: (teller) => forget(teller, { messageIds: [teller.messageId] }),
  },
  {
    name: 'forgotten by id, and repeated in a DM',
    places: ['channel'],
    tell: tellAndRepeat,
    forget: (teller) => forgetById(teller),
  },
  {
    name: 'forgotten, the talk kept',
    places: AT_DISCORD,
    asksAt: ['HTTP', 'WebSocket'],
    where: /a prompt|\/memories/,
    waits: true,
    forget: (teller) => forgetById(teller, { keepTalk: true }),
  },
  {
    name: 'forgotten by query',
    places: EVERYWHERE,
    async forget(teller) {
      // What is not kept yet is not found.
      await eventually(
        'the word is found',
        async () => {
          const path = `/v1/memories/search?q=${teller.word}`;
          return JSON.stringify(await teller.api('GET', path)).includes(teller.word);
        },
        CARRIED_OUT_WITHIN_MS,
      );
      if (AT_DISCORD.includes(teller.place)) await teller.command('forget', { query: teller.word }, 'Forget');
      else await forget(teller, { query: teller.word });
    },
  },
  {
    name: 'forgotten by days',
    places: EVERYWHERE,
    forget: (teller) =>
      forget(teller, { period: { from: teller.toldAt.toISOString(), to: new Date().toISOString() } }),
  },
  { name: 'all forgotten', places: EVERYWHERE, forget: (teller) => forget(teller, { all: true }) },
  {
    name: 'talked of in private',
    places: EVERYWHERE,
    isForGood: true,
    prepare: (teller) => setPrivate(teller, true),
    forget: (teller) => setPrivate(teller, false),
  },
  {
    name: 'talked of in private, which lasts',
    places: ['channel'],
    asksAt: ['channel'],
    where: /by another member|by a stranger/,
    prepare: (teller) => setPrivate(teller, true),
    forget: async () => undefined,
  },
  {
    name: 'said in a reply that never arrived',
    places: AT_DISCORD,
    tell: (teller) => teller.hearNothing(),
    isProven: true,
    forget: async () => undefined,
  },
  {
    name: 'edited after the answer',
    places: AT_DISCORD,
    isForGood: true,
    async forget(teller, suite) {
      // In a channel it is still for the companion.
      const to = teller.place === 'channel' ? `<@${suite.discord.bot.id}> ` : '';
      suite.discord.edit(teller.message!, to + otherWords(teller));
      await isRevised(teller, suite, 'edited');
    },
  },
  {
    name: 'edited to be for others',
    places: ['channel'],
    isForGood: true,
    async forget(teller, suite) {
      suite.discord.edit(teller.message!, otherWords(teller));
      await isRevised(teller, suite, 'deleted');
    },
  },
  {
    name: 'deleted after the answer',
    places: AT_DISCORD,
    isForGood: true,
    async forget(teller, suite) {
      suite.discord.remove(teller.message!);
      await isRevised(teller, suite, 'deleted');
    },
  },
  {
    name: 'deleted after the answer, and repeated in a DM',
    places: ['channel'],
    isForGood: true,
    tell: tellAndRepeat,
    async forget(teller, suite) {
      suite.discord.remove(teller.message!);
      await isRevised(teller, suite, 'deleted');
    },
  },
  {
    name: 'erased',
    places: EVERYWHERE,
    isForGood: true,
    async forget(teller, suite) {
      await teller.api('DELETE', `/v1/me?confirm=${teller.personId}`);
      await becomeNew(teller, suite);
    },
  },
  {
    name: 'erased, and repeated to another member',
    places: ['channel'],
    isForGood: true,
    tell: tellAndRepeatToOther,
    async forget(teller, suite) {
      await teller.api('DELETE', `/v1/me?confirm=${teller.personId}`);
      await becomeNew(teller, suite);
    },
  },
  {
    name: 'erased at Discord',
    places: AT_DISCORD,
    isForGood: true,
    async forget(teller, suite) {
      await teller.command('erase-me', {}, 'Erase me', 'companion');
      await becomeNew(teller, suite);
    },
  },
  {
    name: 'erased by an operator',
    places: EVERYWHERE,
    isForGood: true,
    async forget(teller, suite) {
      await teller.asOperator('DELETE', `/v1/people/${teller.personId}`);
      await becomeNew(teller, suite);
    },
  },
  {
    name: 'forgotten and undone',
    places: EVERYWHERE,
    forget: (teller) => forgetById(teller),
    undo: (teller) => undo(teller),
  },
  {
    name: 'told in a server that was left',
    places: ['channel'],
    asksAt: ['DM', 'HTTP', 'WebSocket'],
    forget: leaveServer,
  },
  {
    name: 'told in a server that was left, and repeated in a DM',
    places: ['channel'],
    asksAt: ['DM', 'HTTP', 'WebSocket'],
    tell: tellAndRepeat,
    forget: leaveServer,
  },
];

export interface PlannedForgetting {
  kind: ForgettingKind;
  place: Place;
}

/** Each kind once for the first so many, then again at its next place, until there are so many. */
export function planForgettings(count: number): PlannedForgetting[] {
  return Array.from({ length: count }, (_, at) => {
    const kind = FORGETTING_KINDS[at % FORGETTING_KINDS.length]!;
    // Another place for each kind of a turn, so that a short run has all of them.
    const turn = Math.floor(at / FORGETTING_KINDS.length) + (at % FORGETTING_KINDS.length);
    return { kind, place: kind.places[turn % kind.places.length]! };
  });
}

/** Number of questions that follow: at each door, by another member in the channel, and by a stranger. */
export function countQuestions(plan: readonly PlannedForgetting[]): number {
  return plan.reduce((sum, { kind }) => {
    const asksAt = kind.asksAt ?? EVERYWHERE;
    const each = asksAt.length + (asksAt.includes('channel') ? 1 : 0) + 1;
    return sum + each * (kind.undo ? 2 : 1);
  }, 0);
}
