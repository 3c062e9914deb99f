import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../faults/random.ts';
import { readOperations, type Operation } from './api-document.ts';
import { Dictionary } from './dictionary.ts';
import { HostileDiscord } from './hostile-discord.ts';
import type { FuzzSuite } from './fuzz-suite.ts';
import { makeFile } from './hostile-files.ts';
import { hostileMessage } from './hostile-values.ts';
import { judgeAnswer } from './judge-answer.ts';
import { makeRequest, makeRequestBeside, type FuzzRequest } from './make-request.ts';
import { sendRawHttp } from './send-raw-http.ts';
import { sendRequest, type Answer } from './send-request.ts';
import { playSocket } from './play-socket.ts';

export interface FuzzOptions {
  seed: number;
  /** Requests, WebSockets, files and events of Discord, taken together. */
  requests: number;
  /** Hostile texts that are said, at every door. */
  messages: number;
  /** Nobody waits longer for an answer; for a document to be read, as long as its contract says. */
  longestWaitMs: number;
  /** No new one after this. */
  seconds: number;
  onProgress: (line: string) => void;
}

export interface Fault {
  /** By its number and the seed, the same request is made again as far as ids go. */
  number: number;
  what: string;
  request: string;
}

export interface FuzzReport {
  requests: number;
  messages: number;
  faults: Fault[];
  /** Answers by status, of each route. */
  statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Routes that were never sent anything. */
  missed: string[];
  slowestMs: number;
}

/** Requests that a busy server has at once. */
const AT_ONCE = 8;
const PEOPLE = 6;
/** A number that spreads the seeds of neighbours apart. */
const STRIDE = 7_919;

/** Sends what nobody should, and judges each answer. */
export class Fuzz {
  private readonly suite: FuzzSuite;
  private readonly options: FuzzOptions;
  private readonly dictionary: Dictionary;
  private readonly people: string[] = [];
  private readonly faults: Fault[] = [];
  private readonly statuses = new Map<string, Map<number, number>>();
  private readonly discord: HostileDiscord | null;
  private operations: Operation[] = [];
  private slowestMs = 0;

  constructor(suite: FuzzSuite, options: FuzzOptions, guarded: ReadonlySet<string>) {
    this.suite = suite;
    this.options = options;
    this.dictionary = new Dictionary(guarded);
    this.discord = suite.discord && new HostileDiscord(suite.discord);
  }

  async run(): Promise<FuzzReport> {
    const { requests, messages, seconds, onProgress } = this.options;
    this.operations = await readOperations(this.suite.url);
    await this.fillUp();
    const total = requests + messages;
    const until = performance.now() + seconds * 1_000;
    let next = 0;
    const done = { requests: 0, messages: 0 };
    const work = async () => {
      while (next < total && performance.now() < until) {
        const number = next++;
        if (number % 1_000 === 999) {
          await this.fillUp();
          onProgress(
            `${number + 1}/${total}: ${this.faults.length} faults, slowest ${Math.round(this.slowestMs)} ms`,
          );
        }
        const random = new Random(this.options.seed * STRIDE + number);
        // Both kinds are spread evenly over the run.
        const said = Math.floor((number * messages) / total);
        const isMessage = Math.floor(((number + 1) * messages) / total) > said;
        await (isMessage ? this.say(number, random) : this.ask(number, number - said, random));
        done[isMessage ? 'messages' : 'requests'] += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const sent = new Set(this.statuses.keys());
    return {
      ...done,
      faults: this.faults,
      statuses: this.statuses,
      missed: this.operations.map(({ name }) => name).filter((name) => !sent.has(name)),
      slowestMs: this.slowestMs,
    };
  }

  /** People come and go: some are erased on the way, and keys end. */
  private async fillUp(): Promise<void> {
    const alive = await Promise.all(
      this.people.map(async (key) =>
        (await this.api('GET', '/v1/me', null, key)).status === 200 ? [key] : [],
      ),
    );
    this.people.splice(0, this.people.length, ...alive.flat());
    for (let n = this.people.length; n < PEOPLE; n += 1) {
      const body = {
        name: 'fuzz',
        person: `Person ${n}`,
        scopes: ['chat', 'memories', 'outreach', 'import'],
      };
      const { body: made } = await this.api('POST', '/v1/keys', body, this.suite.key);
      this.people.push((JSON.parse(made) as { key: string }).key);
      // Something of theirs for requests to be about.
      await this.api(
        'POST',
        '/v1/chat',
        { message: 'I hate cilantro, and my canoe is green.' },
        this.people.at(-1)!,
      );
    }
    for (const path of ['/v1/companions', '/v1/jobs', '/v1/turns', '/v1/memories', '/v1/people'])
      this.learn((await this.api('GET', path, null, this.suite.key)).body);
  }

  private api(method: string, path: string, body: unknown, key: string): Promise<Answer> {
    const bytes = body === null ? null : Buffer.from(JSON.stringify(body));
    const headers = {
      authorization: `Bearer ${key}`,
      ...(bytes ? { 'content-type': 'application/json' } : {}),
    };
    return sendRequest(this.suite.url, { route: 'upkeep', method, path, headers, body: bytes });
  }

  /** @param asked how many requests came before it */
  private async ask(number: number, asked: number, random: Random): Promise<void> {
    const keys = { admin: this.suite.key, people: this.people };
    // Each route once, in order; any of them after that.
    const operation = this.operations[asked] ?? random.pick(this.operations);
    const share = asked < this.operations.length ? 1 : random.next();
    if (share < 0.03) {
      this.note(number, 'raw HTTP', await sendRawHttp(this.suite.url, random));
      return;
    }
    if (share < 0.06) {
      this.note(number, 'WebSocket', await playSocket(this.suite.url, this.people, random));
      return;
    }
    if (share < 0.1 && this.discord) {
      this.discord.happen(random);
      return;
    }
    if (share < 0.12) {
      const file = makeFile('mira', random);
      const key =
        file.path === '/v1/documents' || file.path === '/v1/memories/import'
          ? random.pick(this.people)
          : keys.admin;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return this.send(number, { ...file, headers });
    }
    if (share < 0.2) return this.send(number, makeRequestBeside(keys, random));
    return this.send(number, makeRequest(operation, keys, this.dictionary, random));
  }

  /** Says a hostile text, at one of the doors. */
  private async say(number: number, random: Random): Promise<void> {
    const share = random.next();
    if (share < 0.4 && this.discord) {
      this.discord.say(random);
      return;
    }
    const message = hostileMessage(random);
    const body = Buffer.from(JSON.stringify({ message, conversation: `t${random.between(0, 20)}` }));
    const headers = {
      authorization: `Bearer ${random.pick(this.people)}`,
      'content-type': 'application/json',
    };
    await this.send(number, { route: 'said', method: 'POST', path: '/v1/chat', headers, body });
  }

  private async send(number: number, request: FuzzRequest): Promise<void> {
    const answer = await sendRequest(this.suite.url, request);
    const statuses = this.statuses.get(request.route) ?? new Map<number, number>();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    this.statuses.set(request.route, statuses);
    this.slowestMs = Math.max(this.slowestMs, answer.tookMs);
    if (answer.status < 300) this.learn(answer.body);
    const wrong = judgeAnswer(request, answer, this.options.longestWaitMs);
    if (!wrong) return;
    const id = answer.headers['x-correlation-id'];
    const errors = answer.status >= 500 && typeof id === 'string' ? await this.suite.errorsOf(id) : [];
    this.note(
      number,
      describe(request),
      [`${wrong}: ${answer.body.slice(0, 300)}`, ...errors].join('\n        '),
    );
  }

  private learn(body: string): void {
    try {
      this.dictionary.learn(JSON.parse(body));
    } catch {
      // A page, a picture or a stream of events: nothing to learn from.
    }
  }

  private note(number: number, request: string, what: string | null): void {
    if (what === null) return;
    this.faults.push({ number, what, request });
    if (this.faults.length <= 40) this.options.onProgress(`FAULT ${number}: ${what}\n        ${request}`);
  }
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  const { authorization: _, ...shown } = headers;
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(shown).slice(0, 300)} ${body?.toString('utf8').slice(0, 500) ?? ''}`;
}

/** Measures a service's answer; null when none comes within this time. */
export async function answersWithin(url: string, ms: number, forMs: number): Promise<number | null> {
  const until = performance.now() + forMs;
  for (;;) {
    const started = performance.now();
    const ok = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    );
    const tookMs = performance.now() - started;
    if (ok && tookMs < ms) return tookMs;
    if (performance.now() > until) return null;
    await sleep(250);
  }
}
