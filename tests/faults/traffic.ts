import { setTimeout as sleep } from 'node:timers/promises';
import type { DiscordMessage, DiscordUser } from '@kith/testing';
import WebSocket from 'ws';
import type { FaultSuite } from './fault-suite.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import type { Random } from './random.ts';

/** Somebody with a key of their own. */
export interface HttpPerson {
  name: string;
  key: string;
}

interface SocketFrame {
  type: string;
  turn?: { turnId: string; reply: string | null; messageIds?: string[] };
}

/** Text of a message, with the mark that tells messages apart and a secret of its person. */
export type Words = (said: { mark: string; secret: string; person: string; random: Random }) => string;

/** Topics, so that recall has something to compare. */
export const TOPICS = [
  'the canoe',
  'my sister',
  'the old bakery',
  'a pear tree',
  'the night train',
  'our dog',
  'chess',
];
/** People by their doors. */
const USUAL_NAMES = {
  discord: ['ann', 'ben', 'cat', 'dan', 'eve', 'fay'],
  http: ['Gus', 'Hal', 'Ida'],
  websocket: ['Jan', 'Kim'],
};
/** Everybody's first words are answered long before. */
const FIRST_WORDS_MS = 20_000;
/** Someone who writes to an API tries again for so long. */
const PERSISTENCE_MS = 60_000;

/** People who talk with the companion, in all the ways there are, and write down what they said. */
export class Traffic {
  private readonly suite: FaultSuite;
  private readonly ledger: Ledger;
  private readonly names: typeof USUAL_NAMES;
  readonly discordPeople: readonly DiscordUser[];
  private readonly httpPeople: HttpPerson[] = [];
  private readonly socketPeople: HttpPerson[] = [];
  /** Wordings they use. */
  words: Words = ({ mark, secret, random }) =>
    `${mark} I was thinking of ${random.pick(TOPICS)} and my word is ${secret}.`;
  /** Time people who come over HTTP try to get an answer. */
  persistMs = PERSISTENCE_MS;
  private readonly messages = new Map<string, DiscordMessage>();

  constructor(suite: FaultSuite, ledger: Ledger, names = USUAL_NAMES) {
    this.suite = suite;
    this.ledger = ledger;
    this.names = names;
    this.discordPeople = names.discord.map((name) => suite.discord.user(name));
  }

  /** Everybody there is. */
  get people(): string[] {
    return Object.values(this.names).flat();
  }

  /** Makes the people who come over HTTP and over a WebSocket. */
  async begin(): Promise<void> {
    for (const name of [...this.names.http, ...this.names.websocket]) {
      const people = this.names.http.includes(name) ? this.httpPeople : this.socketPeople;
      people.push(await this.newPerson(name));
    }
  }

  /** Makes somebody with a key. */
  async newPerson(name: string): Promise<HttpPerson> {
    const response = await fetch(`${this.suite.stack.url}/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.suite.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'faults', person: name, scopes: ['chat', 'memories'] }),
    });
    return { name, key: ((await response.json()) as { key: string }).key };
  }

  /**
   * Everybody greets the bot. Discord lists no DMs to bots: the first one ever of a person is lost with a session that
   * can't be resumed (decision 0015).
   */
  async openDms(): Promise<void> {
    for (const user of this.discordPeople) this.suite.discord.dm(user, 'Hello, I am new here.');
    const deadline = performance.now() + FIRST_WORDS_MS;
    for (let heard = 0; heard < this.discordPeople.length && performance.now() < deadline;) {
      await sleep(100);
      const [row] = await this.suite.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM inbox WHERE door = 'discord' AND outcome IS NOT NULL`,
      );
      heard = row?.count ?? 0;
    }
  }

  /** A round's talk: a few people, bursts among it, each somewhere. Resolves when all of it was sent. */
  async talk(round: number, random: Random, count: number, paceMs = 120): Promise<void> {
    const started = performance.now();
    const http: Promise<unknown>[] = [];
    for (let left = count; left > 0;) {
      const roll = random.next();
      if (roll < 0.3) {
        http.push(this.overHttp(round, random));
        left -= 1;
      } else if (roll < 0.4) {
        http.push(this.overSocket(round, random));
        left -= 1;
      } else {
        const user = random.pick(this.discordPeople);
        const burst = random.chance(0.25) ? random.between(2, 3) : 1;
        const inChannel = random.chance(0.4);
        for (let number = 0; number < burst && left > 0; number++, left--) {
          if (inChannel) this.inChannel(round, user, random);
          else this.dm(round, user, random);
          if (number + 1 < burst) await sleep(random.between(10, 60));
        }
      }
      // As many as the pace wants by now, with some chance in it.
      const due = started + (count - left) * paceMs;
      await sleep(Math.max(10, due - performance.now()) * (0.5 + random.next()));
    }
    await Promise.all(http);
  }

  dm(round: number, user: DiscordUser, random: Random): LedgerEntry {
    const { text, ...entry } = this.compose(round, user.username, `dm:${user.username}`, true, random);
    return this.keep(this.suite.discord.dm(user, text), entry);
  }

  inChannel(round: number, user: DiscordUser, random: Random): LedgerEntry {
    const { discord, general, lobby } = this.suite;
    const channel = random.pick([general, lobby]);
    const { text, ...entry } = this.compose(round, user.username, `channel:${channel.name}`, false, random);
    return this.keep(discord.say(user, text, channel, { mentions: [discord.bot] }), entry);
  }

  anyDiscordPerson(random: Random): DiscordUser {
    return random.pick(this.discordPeople);
  }

  /** Message of the person, as Discord holds it. */
  messageOf(entry: LedgerEntry): DiscordMessage {
    return this.messages.get(entry.messageId)!;
  }

  /** Reads the memories each person with a key is shown; none while the API can't be asked. */
  async listMemories(): Promise<{ person: string; text: string }[]> {
    const lists = [...this.httpPeople, ...this.socketPeople].map(async ({ name, key }) => {
      const response = await fetch(`${this.suite.stack.url}/v1/memories?limit=100`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return response.ok ? [{ person: name, text: await response.text() }] : [];
    });
    return (await Promise.all(lists)).flat();
  }

  /** Writes a message over HTTP, and writes it again under its id until it is answered, as clients do. */
  async overHttp(round: number, random: Random, person = random.pick(this.httpPeople)): Promise<LedgerEntry> {
    const { text, ...composed } = this.compose(round, person.name, `thread:${person.name}`, true, random);
    const messageId = `http-${composed.mark.slice(1, -1)}`;
    const entry = this.ledger.add({ ...composed, door: 'http', messageId });
    const post = async (): Promise<boolean> => {
      const response = await fetch(`${this.suite.stack.url}/v1/chat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: text, messageId }),
        signal: AbortSignal.timeout(30_000),
      });
      const turn = (await response.json()) as { turnId: string; reply: string | null };
      if (response.ok) entry.answers.push({ turnId: turn.turnId, reply: turn.reply ?? '' });
      return response.ok;
    };
    // Impatient clients ask twice at once.
    const calls = random.chance(0.25) ? [post, post] : [post];
    await this.persist(async () => {
      const answered = await Promise.all(calls.map((call) => call().catch(() => false)));
      return answered.includes(true);
    });
    // And some ask again when it is long answered.
    if (random.chance(0.25)) await post().catch(() => false);
    return entry;
  }

  /** Says something over a WebSocket, with a new one for each try. */
  private async overSocket(round: number, random: Random): Promise<void> {
    const person = random.pick(this.socketPeople);
    const { text, ...composed } = this.compose(round, person.name, `thread:${person.name}`, true, random);
    const messageId = `ws-${composed.mark.slice(1, -1)}`;
    const entry = this.ledger.add({ ...composed, door: 'websocket', messageId });
    await this.persist(async () => {
      const answer = await this.askOverSocket(person.key, messageId, text);
      if (answer) entry.answers.push(answer);
      return answer !== null;
    });
  }

  private askOverSocket(
    key: string,
    messageId: string,
    text: string,
  ): Promise<LedgerEntry['answers'][number] | null> {
    const socket = new WebSocket(`${this.suite.stack.url.replace('http', 'ws')}/v1/ws`);
    return new Promise((resolve) => {
      const end = (answer: LedgerEntry['answers'][number] | null) => {
        clearTimeout(timer);
        socket.terminate();
        resolve(answer);
      };
      const timer = setTimeout(() => end(null), 30_000);
      socket.on('error', () => end(null));
      socket.on('close', () => end(null));
      socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', key })));
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as SocketFrame;
        if (frame.type === 'ready')
          socket.send(JSON.stringify({ type: 'message', messageId, message: text }));
        else if (frame.type === 'error') end(null);
        else if (frame.type === 'done' && frame.turn?.messageIds?.includes(messageId)) {
          end({ turnId: frame.turn.turnId, reply: frame.turn.reply ?? '' });
        }
      });
    });
  }

  private async persist(attempt: () => Promise<boolean>): Promise<void> {
    const until = performance.now() + this.persistMs;
    while (performance.now() < until) {
      if (await attempt()) return;
      await sleep(300);
    }
  }

  private compose(round: number, person: string, place: string, isDirect: boolean, random: Random) {
    const mark = this.ledger.nextMark();
    const secret = `sec${mark.slice(2, -1)}x${random.between(100_000, 999_999)}`;
    const text = this.words({ mark, secret, person, random });
    return {
      round,
      mark,
      person,
      place,
      isDirect,
      secret,
      text,
      sentAt: Date.now(),
      takenBack: false,
      edits: 0,
      answers: [],
    };
  }

  private keep(message: DiscordMessage, entry: Omit<LedgerEntry, 'door' | 'messageId'>): LedgerEntry {
    this.messages.set(message.id, message);
    return this.ledger.add({ ...entry, door: 'discord', messageId: message.id });
  }
}
