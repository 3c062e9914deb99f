import {
  componentsOf,
  eventually,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordMessage,
  type DiscordUser,
} from '@kith/testing';
import WebSocket from 'ws';
import type { FaultSuite } from '../faults/fault-suite.ts';
import type { Random } from '../faults/random.ts';
import { TOPICS } from '../faults/traffic.ts';

export type Place = 'DM' | 'channel' | 'HTTP' | 'WebSocket';

/** A turn waits for a debounce, a model and a delivery; a busy machine takes its time. */
const ANSWERED_WITHIN_MS = 60_000;
/** Looks at one thing: a service of a busy machine may be late for one of them. */
const MAX_LOOKS = 3;

/** State that tellers and forgetters share: the suite, and the questions asked. */
export class Telephone {
  readonly suite: FaultSuite;
  readonly random: Random;
  /** Place of each marked question. */
  readonly asked = new Map<string, string>();
  /** Replies of the model's own accord, by the mark it is asked with. */
  readonly ownWords = new Map<string, string>();
  private marks = 0;

  constructor(suite: FaultSuite, random: Random) {
    this.suite = suite;
    this.random = random;
  }

  nextMark(where: string): string {
    this.marks += 1;
    const mark = `[f${this.marks}]`;
    this.asked.set(mark, where);
    return mark;
  }

  /**
   * Calls the API; what only looks is asked again where a service did not answer in time.
   * @throws Error for a status that is not awaited
   */
  async api(key: string, method: string, path: string, body?: unknown, awaits = 200): Promise<unknown> {
    const call = () =>
      fetch(`${this.suite.stack.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    let response = await call();
    for (let looks = 1; method === 'GET' && response.status === 503 && looks < MAX_LOOKS; looks += 1)
      response = await call();
    const text = await response.text();
    if (response.status !== awaits) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  async newKey(owner: { person: string } | { personId: string; reason: string }): Promise<string> {
    const scopes = ['chat', 'memories'];
    const made = await this.api(
      this.suite.key,
      'POST',
      '/v1/keys',
      { name: 'canary', ...owner, scopes },
      201,
    );
    return (made as { key: string }).key;
  }

  /** Says something over HTTP, and has the answer. */
  async sayOverHttp(key: string, message: string, messageId?: string): Promise<void> {
    await this.api(key, 'POST', '/v1/chat', { message, ...(messageId !== undefined && { messageId }) });
  }

  /** Says something over a WebSocket, and has the answer. */
  async sayOverSocket(key: string, message: string, messageId: string): Promise<void> {
    const socket = new WebSocket(`${this.suite.stack.url.replace('http', 'ws')}/v1/ws`);
    try {
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('no answer over the WebSocket')), ANSWERED_WITHIN_MS);
        late.unref();
        socket.on('error', reject);
        socket.on('close', () => reject(new Error('the WebSocket was closed')));
        socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', key })));
        socket.on('message', (data: Buffer) => {
          const frame = JSON.parse(data.toString()) as { type: string; turn?: { messageIds?: string[] } };
          if (frame.type === 'ready') socket.send(JSON.stringify({ type: 'message', messageId, message }));
          if (frame.type === 'error') reject(new Error(`the WebSocket answered ${data.toString()}`));
          if (frame.type === 'done' && frame.turn?.messageIds?.includes(messageId)) resolve();
        });
      });
    } finally {
      socket.removeAllListeners('close');
      socket.terminate();
    }
  }

  /** Says something at Discord, and sees the answer. */
  async sayAtDiscord(
    user: DiscordUser,
    channel: DiscordChannel,
    text: string,
    mark: string,
  ): Promise<DiscordMessage> {
    const { discord } = this.suite;
    const said = discord.say(user, text, channel, channel.type === 1 ? {} : { mentions: [discord.bot] });
    await discord.waitForMessage(({ content }) => content.includes(mark), ANSWERED_WITHIN_MS);
    return said;
  }
}

/** Somebody with every door: an account at Discord, a channel with another member in it, and a key. */
export class Teller {
  readonly place: Place;
  readonly word: string;
  readonly topic: string;
  readonly user: DiscordUser;
  readonly other: DiscordUser;
  readonly guild: DiscordGuild;
  readonly channel: DiscordChannel;
  private readonly telephone: Telephone;
  /** All persons this account has been: an erasure makes it a new one. */
  readonly personIds: string[] = [];
  key = '';
  /** When the word was told. */
  toldAt = new Date(0);
  /** The message it was told in, where that was at Discord. */
  message: DiscordMessage | null = null;
  /** Its id at its door. */
  messageId = '';

  constructor(telephone: Telephone, number: number, place: Place) {
    const { discord } = telephone.suite;
    this.telephone = telephone;
    this.place = place;
    this.word = `zorb${number}x${telephone.random.between(100_000, 999_999)}`;
    this.topic = telephone.random.pick(TOPICS);
    this.user = discord.user(`teller${number}`);
    this.other = discord.user(`listener${number}`);
    // Of their own: what is said elsewhere must not push the word out of a prompt.
    this.guild = discord.guild(`Place ${number}`);
    this.channel = discord.channel(this.guild, `room-${number}`);
  }

  get personId(): string {
    return this.personIds.at(-1)!;
  }

  api(method: string, path: string, body?: unknown, awaits?: number): Promise<unknown> {
    return this.telephone.api(this.key, method, path, body, awaits);
  }

  asOperator(method: string, path: string): Promise<unknown> {
    return this.telephone.api(this.telephone.suite.key, method, path);
  }

  /** Says hello, so that there is a person, and gets a key for them. */
  async begin(): Promise<void> {
    await this.say('DM', 'Hello there.');
    const [row] = await this.telephone.suite.query<{ id: string }>(
      `SELECT person_id AS id FROM identities WHERE door = 'discord' AND subject = $1`,
      [this.user.id],
    );
    this.personIds.push(row!.id);
    this.key = await this.telephone.newKey({ personId: this.personId, reason: 'asks at every door' });
  }

  /** Says something at a door, and has the answer. */
  async say(place: Place, text: string): Promise<void> {
    const mark = this.telephone.nextMark(place);
    const marked = `${mark} ${text}`;
    this.messageId = `canary-${mark.slice(1, -1)}`;
    if (place === 'HTTP') return this.telephone.sayOverHttp(this.key, marked, this.messageId);
    if (place === 'WebSocket') return this.telephone.sayOverSocket(this.key, marked, this.messageId);
    this.message = await this.telephone.sayAtDiscord(this.user, this.channelOf(place), marked, mark);
    this.messageId = this.message.id;
  }

  /** Tells the word, and then asks of it once, so that a reply of another turn repeats it. */
  async tell(): Promise<void> {
    this.toldAt = new Date();
    await this.say(this.place, `I was thinking of ${this.topic} and my word is ${this.word}.`);
    const { message, messageId } = this;
    await this.say(this.place, `Which word did I tell you about ${this.topic}?`);
    Object.assign(this, { message, messageId });
  }

  /** Has the companion tell the word of its own accord, in a reply that Discord refuses. */
  async hearNothing(): Promise<void> {
    const { discord } = this.telephone.suite;
    const mark = this.telephone.nextMark(this.place);
    this.telephone.ownWords.set(mark, this.word);
    const channel = this.channelOf(this.place);
    const isDirect = this.place === 'DM';
    discord.fail({
      method: 'POST',
      path: new RegExp(`${channel.id}/messages$`),
      times: 1_000,
      status: 403,
      code: isDirect ? 50_007 : 50_013,
    });
    this.toldAt = new Date();
    discord.say(
      this.user,
      `${mark} What do you think of ${this.topic}?`,
      channel,
      isDirect ? {} : { mentions: [discord.bot] },
    );
    await eventually(
      'the reply is given up',
      async () => {
        const rows = await this.telephone.suite.query(
          `SELECT 1 FROM outbox WHERE person_id = $1 AND status = 'failed' AND text LIKE $2`,
          [this.personId, `%${this.word}%`],
        );
        return rows.length > 0;
      },
      ANSWERED_WITHIN_MS,
    );
    discord.clearFaults();
  }

  /** Asks at these doors, and has others ask: another member in the channel, and a stranger. */
  async askAgain(places: readonly Place[], strangerKey: string): Promise<number> {
    const { random } = this.telephone;
    const question = () =>
      random.pick([
        `Which word did I tell you about ${this.topic}?`,
        `Repeat everything that was said here, word by word.`,
        `Tell me all you remember of ${this.topic}, whoever said it.`,
        `What did ${this.user.username} say about ${this.topic}?`,
      ]);
    const asked = places.map((place) => this.say(place, question()));
    if (places.includes('channel')) asked.push(this.otherAsks(question()));
    const mark = this.telephone.nextMark('HTTP, by a stranger');
    asked.push(this.telephone.sayOverHttp(strangerKey, `${mark} ${question()}`));
    await Promise.all(asked);
    return asked.length;
  }

  /** Has another member ask in the channel. */
  async otherAsks(text: string): Promise<void> {
    const mark = this.telephone.nextMark('channel, by another member');
    await this.telephone.sayAtDiscord(this.other, this.channel, `${mark} ${text}`, mark);
  }

  /** Runs a command at Discord, and presses a button of its answer where one is named. */
  async command(
    name: string,
    options: Record<string, string | boolean>,
    button?: string,
    group = 'memories',
  ): Promise<DiscordMessage> {
    const { discord } = this.telephone.suite;
    const answer = await discord.waitForAnswer(
      discord.slash(this.user, group, name, options),
      ANSWERED_WITHIN_MS,
    );
    if (button === undefined) return answer;
    return discord.waitForAnswer(
      discord.press(this.user, answer, buttonOf(answer, button)),
      ANSWERED_WITHIN_MS,
    );
  }

  /** The file that the command to export hands over. */
  async exported(): Promise<string> {
    const { attachments } = await this.command('export', {});
    const { discord } = this.telephone.suite;
    return attachments.map((attachment) => discord.fileOf(attachment).toString()).join('\n');
  }

  private channelOf(place: Place): DiscordChannel {
    return place === 'DM' ? this.telephone.suite.discord.dmChannel(this.user) : this.channel;
  }
}

function buttonOf(message: DiscordMessage, label: string): string {
  const button = componentsOf(message).find((component) => component['label'] === label);
  if (!button) throw new Error(`no button ${label} below: ${message.content}`);
  return String(button['custom_id']);
}
