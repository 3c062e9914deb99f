import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Placement } from '@kith/embedded';
import type { ScriptedModel } from '@kith/testing';
import { callSuite, newPerson } from '../call-suite.ts';
import { connectionsCpuMs, cpuTimes, LOAD, residentMegabytes } from '../process-costs.ts';
import { sum } from '../figures.ts';
import { scriptedEmbedding, startOwnSuite } from '../own-suite.ts';
import { timedTurn } from '../timed-turn.ts';

export interface Usage {
  cpuMs: number;
  megabytes: number;
}

/** Product that is measured: it answers, or keeps and finds, or both. */
export interface Contender {
  model: ScriptedModel;
  /** Null where it does not answer. */
  say: ((person: string, text: string) => Promise<{ firstReplyMs: number; wholeMs: number }>) | null;
  write: (person: string, text: string) => Promise<void>;
  /** Number found. */
  search: (person: string, text: string) => Promise<number>;
  usage: () => Promise<Usage>;
  stop: () => Promise<void>;
}

/** Longer than any message takes, even on a busy machine. */
const ANSWER_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 120_000;

/** Kith with the stores it brings along; its embeddings come from the same scripted host as the peers'. */
export async function startKith(placement: Placement): Promise<Contender> {
  const suite = await startOwnSuite(scriptedEmbedding, placement);
  const keys = new Map<string, Promise<string>>();
  const keyOf = (person: string): Promise<string> => {
    const known = keys.get(person) ?? newPerson(suite, person, ['chat', 'memories', 'import']);
    keys.set(person, known);
    return known;
  };
  const call = async <T>(person: string, path: string, body?: object) =>
    callSuite<T>({ url: suite.url, key: await keyOf(person) }, path, body);
  return {
    model: suite.model,
    say: async (person, text) => {
      const { firstTokenMs, doneMs } = await timedTurn(suite.url, await keyOf(person), text);
      return { firstReplyMs: firstTokenMs, wholeMs: doneMs };
    },
    write: async (person, text) => {
      const record = { text, saidAt: new Date().toISOString() };
      await call(person, 'memories/import', { records: [record] });
    },
    search: async (person, text) => {
      const path = `memories/search?limit=8&q=${encodeURIComponent(text)}`;
      return (await call<{ memories: unknown[] }>(person, path)).memories.length;
    },
    usage: async () => {
      const { [LOAD]: _, ...own } = await cpuTimes(suite.stack);
      return {
        cpuMs: sum(Object.values(own)),
        megabytes: sum(Object.values(await residentMegabytes(suite.stack))),
      };
    },
    stop: async () => suite[Symbol.asyncDispose](),
  };
}

/** A peer in a process of its own, in the folder that it is installed in. @throws Error with why it did not start */
export async function startPeer(
  {
    folder,
    runner,
    model,
    answers,
  }: { folder: string; runner: string; model: ScriptedModel; answers: boolean },
  environment: { databaseUrl?: string },
): Promise<Contender> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'kith-peer-'));
  const given = JSON.stringify({ ...environment, dataDirectory, modelUrl: `${model.url}/v1` });
  const child = fork(join(folder, runner), [given], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const orders = new Orders(child);
  await orders.untilReady();
  const order = (verb: string, person = '', text = '') => orders.give({ verb, person, text });
  return {
    model,
    say: answers
      ? async (person, text) => {
          const started = performance.now();
          let firstReplyMs = Number.NaN;
          await orders.give({ verb: 'say', person, text }, () => {
            if (Number.isNaN(firstReplyMs)) firstReplyMs = performance.now() - started;
          });
          return { firstReplyMs, wholeMs: performance.now() - started };
        }
      : null,
    write: async (person, text) => {
      await order('write', person, text);
    },
    search: async (person, text) => (await order('search', person, text)) as number,
    usage: async () => {
      const own = (await order('usage')) as Usage;
      const storeMs = environment.databaseUrl
        ? await connectionsCpuMs(new URL(environment.databaseUrl).pathname.slice(1))
        : 0;
      return { ...own, cpuMs: own.cpuMs + storeMs };
    },
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  replied: () => void;
}
interface Told {
  number?: number;
  ready?: boolean;
  replied?: boolean;
  problem?: string;
  result?: unknown;
}

/** Orders to a peer's process and its answers. */
class Orders {
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;
  private lastLine = '';
  private problem: string | null = null;
  private readonly ready: Promise<void>;

  private readonly child: ChildProcess;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stderr?.setEncoding('utf8').on('data', (words: string) => {
      this.lastLine = words.split('\n').findLast((line) => /error/i.test(line)) ?? this.lastLine;
    });
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('it did not start in time')), START_TIMEOUT_MS);
      timer.unref();
      child.on('exit', (code) => {
        this.problem = `it ended with ${code}${this.lastLine && `: ${this.lastLine.trim().slice(0, 200)}`}`;
        reject(new Error(this.problem));
        for (const waiting of this.waiting.values()) waiting.reject(new Error(this.problem));
      });
      child.on('message', (told: Told) => (told.ready ? resolve() : this.hear(told)));
    });
  }

  untilReady(): Promise<void> {
    return this.ready;
  }

  give(order: object, replied: () => void = () => undefined): Promise<unknown> {
    const number = this.number++;
    return new Promise((resolve, reject) => {
      if (this.problem !== null) return reject(new Error(this.problem));
      const timer = setTimeout(() => reject(new Error('it gave no answer in time')), ANSWER_TIMEOUT_MS);
      const done = (end: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(number);
        end();
      };
      this.waiting.set(number, {
        resolve: (result) => done(() => resolve(result)),
        reject: (error) => done(() => reject(error)),
        replied,
      });
      this.child.send({ number, ...order });
    });
  }

  private hear({ number, replied, problem, result }: Told): void {
    const waiting = number === undefined ? undefined : this.waiting.get(number);
    if (replied) waiting?.replied();
    else if (problem !== undefined) waiting?.reject(new Error(problem));
    else waiting?.resolve(result);
  }
}
