import { setTimeout as sleep } from 'node:timers/promises';
import { checkEffects, type ToolEffects } from './check-effects.ts';
import type { Fault, FaultContext } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';
import type { LedgerEntry } from './ledger.ts';
import { untilReady } from './process-faults.ts';
import { ORDER_TOOL, type OrderMoment } from './shop.ts';
import { ToolScript } from './tool-script.ts';
import type { HttpPerson } from './traffic.ts';

/** People who talk at once: each kill breaks off the turns of most of them, each at a moment of its own. */
const PEOPLE = 8;
/** Waves that the same people talk in: tasks stay open, and a person may have twenty. */
const WAVES = 12;
/** Time for which people, and the next wave, wait for a killed gateway: what it takes is not what this measures. */
const BACK_WITHIN_MS = 300_000;
/** First words are sent so far apart, that no two turns stand at the same seam. */
const APART_MS = 120;
/** Longest that a random moment waits: a turn with three steps takes about as long. */
const LATEST_MS = 1_200;

/** Moment of a wave at which the gateway's process dies. */
type Moment =
  | { kind: 'step'; step: string; stepsBehind: number | null }
  | { kind: 'order'; moment: OrderMoment }
  | { kind: 'time' };

const step = (name: string, stepsBehind: number | null = null): Moment => ({
  kind: 'step',
  step: name,
  stepsBehind,
});
const MOMENTS: readonly Moment[] = [
  ...['received', 'committed', 'claimed', 'prompt-built', 'streaming', 'reply-stored'].map((name) =>
    step(name),
  ),
  ...[0, 1, 2].flatMap((behind) =>
    ['step-committed', 'call-made', 'call-ended'].map((name) => step(name, behind)),
  ),
  ...(['come', 'done'] as const).map((moment): Moment => ({ kind: 'order', moment })),
  ...Array.from({ length: 5 }, (): Moment => ({ kind: 'time' })),
];

/** Message that was answered with three calls, and what befell its wave. */
interface Wish {
  entry: LedgerEntry;
  item: string;
  killedAt: string;
}

function nameOf(moment: Moment): string {
  if (moment.kind === 'time') return 'any time';
  if (moment.kind === 'order')
    return `an order that has ${moment.moment === 'come' ? 'come' : 'been carried out'}`;
  return moment.stepsBehind === null ? moment.step : `${moment.step} of step ${moment.stepsBehind + 1}`;
}

/** Kills the gateway in the midst of turns that call three tools each, until so many turns were broken off. */
export function toolKills(times: number): Fault {
  const wishes: Wish[] = [];
  return {
    name: `${times} turns with tools, killed`,
    restartsProcesses: true,
    reachesModel: true,
    talk: { count: 0, withinMs: 1 },
    async happen(context) {
      const { suite, traffic, random, round } = context;
      const script = new ToolScript(context.ledger);
      traffic.persistMs = BACK_WITHIN_MS;
      suite.model.replyWith(script.reply);
      await operate(suite, 'PUT', `/v1/tools/${ORDER_TOOL}/rule`, suite.key, { allow: true });
      let moments: Moment[] = [];
      let people: HttpPerson[] = [];
      let hits = 0;
      for (let wave = 0, broken = 0; broken < times; wave++) {
        // Whoever died at the end of the last wave is still on the way back, which takes minutes on a crowded machine.
        await untilReady(context, 'gateway', BACK_WITHIN_MS);
        if (wave % WAVES === 0) people = await customers(context, script, wave);
        if (moments.length === 0) moments = random.shuffled(MOMENTS);
        const moment = moments.pop()!;
        const killedAt = nameOf(moment);
        const died = await killAt(context, script, moment);
        const usual = traffic.words;
        const said = people.map(async (person, place) => {
          await sleep(place * random.between(0, APART_MS));
          const item = `kettle${wave}n${place}`;
          traffic.words = ({ mark, secret }) => {
            script.add(mark, { item, atOnce: random.chance(0.3) });
            return `Please place an order of ${item}. ${mark} My word is ${secret}.`;
          };
          wishes.push({ entry: await traffic.overHttp(round, random, person), item, killedAt });
        });
        await Promise.all(said);
        traffic.words = usual;
        if (await died()) hits += 1;
        broken = await brokenOff(suite, wishes);
        console.log(`        wave ${wave + 1}, killed at ${killedAt}: ${broken}/${times} turns broken off`);
      }
      return hits > 0;
    },
    check: async ({ suite }) => checkEffects(await effectsOf(suite, wishes)),
  };
}

/** Kills the gateway's process once, at this moment of the turns to come. Returns how to call it off, and learn of it. */
async function killAt(
  { suite, random }: FaultContext,
  script: ToolScript,
  moment: Moment,
): Promise<() => Promise<boolean>> {
  const gateway = suite.stack.service('gateway');
  const { pid } = gateway.process;
  let isSpent = false;
  let arming: Promise<() => Promise<void>> | null = null;
  const once = (act: () => void) => {
    if (!isSpent) act();
    isSpent = true;
  };
  const kill = () => once(() => gateway.process.kill('SIGKILL'));
  let timer: NodeJS.Timeout | undefined;
  if (moment.kind === 'time') timer = setTimeout(kill, random.between(APART_MS, LATEST_MS));
  else if (moment.kind === 'order')
    suite.shop.onOrder = (now) => {
      if (now === moment.moment) kill();
    };
  else if (moment.stepsBehind === null) arming = suite.armStep('gateway', moment.step);
  else
    script.onStep = (behind) => {
      if (behind !== moment.stepsBehind) return;
      once(() => {
        arming = suite.armStep('gateway', moment.step);
      });
    };
  await arming;
  return async () => {
    clearTimeout(timer);
    suite.shop.onOrder = () => undefined;
    script.onStep = () => undefined;
    await (
      await arming
    )?.();
    return suite.stack.service('gateway').process.pid !== pid;
  };
}

/** Makes people who have had the shop's tool used once, and said that it always may be. */
async function customers(
  { suite, traffic, random, round }: FaultContext,
  script: ToolScript,
  wave: number,
): Promise<HttpPerson[]> {
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, place) => traffic.newPerson(`customer ${wave}n${place}`)),
  );
  const usual = traffic.words;
  for (const [place, person] of people.entries()) {
    const item = `first${wave}n${place}`;
    traffic.words = ({ mark, secret }) => {
      script.add(mark, { item, atOnce: false });
      return `Please place an order of ${item}. ${mark} My word is ${secret}.`;
    };
    await traffic.overHttp(round, random, person);
    const { questions } = (await operate(suite, 'GET', '/v1/tool-questions', person.key)) as {
      questions: { id: string }[];
    };
    if (questions.length !== 1) throw new Error(`${person.name} was asked ${questions.length} questions`);
    await operate(suite, 'PUT', `/v1/tool-questions/${questions[0]!.id}`, person.key, { answer: 'always' });
  }
  traffic.words = usual;
  return people;
}

async function operate(
  suite: FaultSuite,
  method: string,
  path: string,
  key: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${suite.stack.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Counts the messages whose turn was begun more than once. */
async function brokenOff(suite: FaultSuite, wishes: readonly { entry: LedgerEntry }[]): Promise<number> {
  const [row] = await suite.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM inbox WHERE external_id = ANY($1) AND lease_token > 1',
    [wishes.map(({ entry }) => entry.messageId)],
  );
  return row!.count;
}

/** Reads what the stores and the shop have of each message's effects. */
async function effectsOf(suite: FaultSuite, wishes: readonly Wish[]): Promise<ToolEffects[]> {
  const rows = await suite.query<{ messageId: string; outcome: string | null; steps: ToolEffects['steps'] }>(
    `SELECT external_id AS "messageId", outcome, coalesce((
       SELECT jsonb_agg(jsonb_build_object('number', number, 'calls', calls) ORDER BY number)
       FROM turn_steps s WHERE s.turn_id = i.turn_id AND jsonb_array_length(calls) > 0), '[]') AS steps
     FROM inbox i WHERE external_id = ANY($1)`,
    [wishes.map(({ entry }) => entry.messageId)],
  );
  const tasks = await suite.query<{ text: string }>('SELECT text FROM tasks');
  const blocks = await suite.query<{ text: string }>('SELECT text FROM core_blocks');
  const notes = blocks.flatMap(({ text }) => text.match(/kettle\d+n\d+/g) ?? []);
  return wishes.map(({ entry: { messageId }, item, killedAt }) => {
    const own = rows.filter((row) => row.messageId === messageId);
    return {
      messageId,
      item,
      killedAt,
      outcomes: own.map(({ outcome }) => outcome),
      orders: suite.shop.orders.filter((order) => order.item === item).length,
      notes: notes.filter((noted) => noted === item).length,
      tasks: tasks.filter(({ text }) => text === `unpack ${item}`).length,
      steps: own.flatMap(({ steps }) => steps),
    };
  });
}
