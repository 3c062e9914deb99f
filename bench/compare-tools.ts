import { setTimeout as sleep } from 'node:timers/promises';
import type { Placement } from '@kith/embedded';
import { newPerson } from './call-suite.ts';
import { cpuTimes, FOLLOWED_MS } from './process-costs.ts';
import { nth, oneDigit, percentile, spread, sum, writeResult } from './figures.ts';
import { startOwnSuite, type OwnSuite } from './own-suite.ts';
import { timedTurn } from './timed-turn.ts';

const WARM_UP = 40;
const TURNS = 400;
/** Turns of one suite before the other's: few, so that both meet the same load of the machine. */
const BLOCK = 5;
const PEOPLE = 40;

/**
 * Sets the card of the bench's model: whether it takes tools, and how long its prompts may be, which bounds how much of
 * a long talk each of them tells.
 */
export function cardOf(tools: 'on' | 'off', contextTokens: number): () => Record<string, string> {
  const card = { 'compatible:scripted': { tools: tools === 'on', contextTokens } };
  return () => ({ MODEL_CARDS: JSON.stringify(card) });
}

interface Side {
  suite: OwnSuite;
  keys: string[];
  firstTokenMs: number[];
  doneMs: number[];
  cpuMs: number;
}

/**
 * Measures turns with tools offered against turns without, in blocks that take turns, so that what else the machine does
 * falls on both. The model calls none: what is measured is what offering costs.
 */
export async function compareTools(placement: Placement, contextTokens: number): Promise<void> {
  const sides = {
    off: await openSide('off', contextTokens, placement),
    on: await openSide('on', contextTokens, placement),
  };
  const both = Object.values(sides);
  try {
    for (const side of both) await talk(side, WARM_UP);
    const measured = new Set(both.map(({ suite }) => suite.model.requests.at(-1)?.body['tools']));
    if (!measured.has(undefined) || measured.size !== 2)
      throw new Error('tools are not on at one side alone');
    await sleep(FOLLOWED_MS);
    for (const side of both)
      Object.assign(side, { firstTokenMs: [], doneMs: [], cpuMs: -(await cpuOf(side.suite)) });
    for (let turn = 0; turn < TURNS; turn += BLOCK) {
      // The first of a block finds the machine's caches as the other suite left them.
      const order = (turn / BLOCK) % 2 === 0 ? [sides.off, sides.on] : [sides.on, sides.off];
      for (const side of order) await talk(side, BLOCK);
    }
    await sleep(FOLLOWED_MS);
    for (const side of both) side.cpuMs += await cpuOf(side.suite);
    const row = ({ firstTokenMs, doneMs, cpuMs }: Side) => ({
      'first token, p50': spread(firstTokenMs).p50,
      'committed reply, p50': spread(doneMs).p50,
      'committed reply, p95': spread(doneMs).p95,
      'CPU, ms a turn': oneDigit(cpuMs / TURNS),
    });
    const ratio = (of: (side: Side) => number) => Math.round((of(sides.on) / of(sides.off)) * 1_000) / 1_000;
    const result = {
      off: row(sides.off),
      on: row(sides.on),
      'on against off': {
        'first token, p50': ratio(({ firstTokenMs }) => percentile(firstTokenMs, 0.5)),
        'committed reply, p50': ratio(({ doneMs }) => percentile(doneMs, 0.5)),
        'committed reply, p95': ratio(({ doneMs }) => percentile(doneMs, 0.95)),
        'CPU, ms a turn': ratio(({ cpuMs }) => cpuMs),
      },
    };
    console.log(`a turn with tools on against off, ${placement}, ms`);
    console.table(result);
    await writeResult(`turn-${placement}-tools-both`, result);
  } finally {
    for (const { suite } of both) await suite[Symbol.asyncDispose]();
  }
}

async function openSide(tools: 'on' | 'off', contextTokens: number, placement: Placement): Promise<Side> {
  const suite = await startOwnSuite(cardOf(tools, contextTokens), placement);
  const keys: string[] = [];
  for (let person = 0; person < PEOPLE; person += 1) keys.push(await newPerson(suite, `Person ${person}`));
  return { suite, keys, firstTokenMs: [], doneMs: [], cpuMs: 0 };
}

async function talk(side: Side, turns: number): Promise<void> {
  const { suite, keys } = side;
  for (let turn = 0; turn < turns; turn += 1) {
    const number = side.doneMs.length;
    const key = nth(keys, number);
    const times = await timedTurn(suite.url, key, `Note ${number}: the kettle in room ${number % 17} sings.`);
    side.firstTokenMs.push(times.firstTokenMs);
    side.doneMs.push(times.doneMs);
  }
}

/** CPU time of the suite's services so far. Its stores are left out: the two suites' look alike. */
async function cpuOf({ stack }: OwnSuite): Promise<number> {
  const times = await cpuTimes(stack);
  return sum(stack.processes.map(({ name }) => times[name] ?? 0));
}
