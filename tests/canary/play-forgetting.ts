import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@kith/testing';
import type { FaultSuite } from '../faults/fault-suite.ts';
import type { Random } from '../faults/random.ts';
import {
  FORGETTING_MARK,
  FORGOTTEN_WORD,
  findTold,
  findUnheard,
  retell,
  type ForgottenWord,
  type Telling,
  type ToldAgain,
} from './find-told.ts';
import { EVERYWHERE, type ForgettingKind, type PlannedForgetting } from './forgetting-kinds.ts';
import { Telephone, Teller } from './teller.ts';

export interface ForgettingResult {
  words: ForgottenWord[];
  questions: number;
  told: ToldAgain[];
  /** Words of which nothing is proven. */
  unheard: ForgottenWord[];
}

/** People at once: each has six doors, and a server of their own. */
const AT_ONCE = 12;
/** Jobs of a busy machine. */
const SETTLED_WITHIN_MS = 60_000;
/** A service looks once a minute at least for sealed words whose time was moved: it is told of none. */
const BURNT_WITHIN_MS = 75_000;
/** Half of them forget while the jobs of their turn are still to be done. */
const HASTE = 0.5;

/** People tell a word each, forget it in one of the ways there are, and then everybody asks for it. */
export async function playForgetting(
  suite: FaultSuite,
  { plan, random, say }: { plan: readonly PlannedForgetting[]; random: Random; say: (line: string) => void },
): Promise<ForgettingResult> {
  const telephone = new Telephone(suite, random);
  suite.model.replyWith(({ messages }) => retell(messages, telephone.ownWords));
  const strangerKey = await telephone.newKey({ person: 'Stranger' });
  const result: ForgettingResult = { words: [], questions: 0, told: [], unheard: [] };
  const gone: string[] = [];
  const note = (told: readonly ToldAgain[]): void => {
    result.told.push(...told);
    for (const { kind, place, word, where } of told)
      say(`BREACH ${kind}, told at ${place}: ${word} in ${where}`);
  };
  for (let from = 0; from < plan.length; from += AT_ONCE) {
    const cases = plan
      .slice(from, from + AT_ONCE)
      .map(({ kind, place }, at) => ({ kind, teller: new Teller(telephone, from + at + 1, place) }));
    const played = await Promise.all(cases.map((one) => playCase(telephone, one, strangerKey)));
    const words = played.map(({ word }) => word);
    const questions = played.reduce((sum, { asked }) => sum + asked, 0);
    await settled(suite);
    const tellings = [
      ...(await Promise.all(cases.map(({ teller }) => readAsPerson(telephone, teller)))).flat(),
      ...(await readAsOperator(
        telephone,
        cases.map(({ teller }) => teller),
      )),
    ];
    const prompts = suite.model.requests.map(({ messages }) => promptOf(telephone, messages));
    const told = findTold(words, { prompts, tellings });
    gone.push(...cases.filter(({ kind }) => kind.isForGood).map(({ teller }) => teller.word));
    result.words.push(...words);
    result.questions += questions;
    result.unheard.push(...findUnheard(words, prompts));
    // At once: what comes after may not come to its end.
    note(told);
    say(`${result.words.length}/${plan.length} forgotten: ${questions} questions, ${told.length} breaches`);
  }
  note(await findAtRest(suite, result.words, gone));
  return result;
}

async function playCase(
  telephone: Telephone,
  { kind, teller }: { kind: ForgettingKind; teller: Teller },
  strangerKey: string,
): Promise<{ word: ForgottenWord; asked: number }> {
  const { suite, random } = telephone;
  const isHasty = !kind.waits && random.chance(HASTE);
  const asksAt = kind.asksAt ?? EVERYWHERE;
  await teller.begin();
  await kind.prepare?.(teller);
  await (kind.tell ?? ((one) => one.tell()))(teller, suite);
  if (!isHasty) await settled(suite);
  await kind.forget(teller, suite);
  const goneFrom = suite.model.requests.length;
  let asked = await teller.askAgain(asksAt, strangerKey);
  let backFrom: number | null = null;
  if (kind.undo) {
    backFrom = suite.model.requests.length;
    await kind.undo(teller);
    asked += await teller.askAgain(asksAt, strangerKey);
  }
  const name = `${kind.name}${isHasty ? ', at once' : ''}`;
  const { where, isProven } = kind;
  return {
    word: { word: teller.word, kind: name, place: teller.place, goneFrom, backFrom, where, isProven },
    asked,
  };
}

/** Waits until every turn is followed up, and every order to forget is carried out. */
async function settled(suite: FaultSuite): Promise<void> {
  await eventually(
    'nothing is left to do',
    async () => {
      const [left] = await suite.query<{ count: number }>(
        `SELECT ((SELECT count(*) FROM inbox WHERE outcome IS NULL)
          + (SELECT count(*) FROM outbox WHERE status = 'pending')
          + (SELECT count(*) FROM forget_orders WHERE finished_at IS NULL)
          + (SELECT count(*) FROM turns t WHERE t.origin = 'message' AND t.outcome IN ('answered', 'apologised')
              AND t.followed_up_at IS NULL AND t.follow_up_problem IS NULL AND NOT EXISTS (
                SELECT 1 FROM memory_handled_turns m JOIN personality_handled_turns USING (turn_id)
                  JOIN outreach_handled_turns USING (turn_id) WHERE m.turn_id = t.turn_id)))::int AS count`,
      );
      if (left!.count > 0) await sleep(100);
      return left!.count === 0;
    },
    SETTLED_WITHIN_MS,
  );
}

function promptOf(telephone: Telephone, messages: readonly { text: string }[]): Telling {
  const [mark] = messages.at(-1)?.text.match(FORGETTING_MARK) ?? [];
  const door = mark ? telephone.asked.get(mark) : undefined;
  return {
    where: door ? `a prompt, asked by ${door}` : 'a prompt that nobody asked for',
    text: messages.map(({ text }) => text).join('\n'),
  };
}

/** All that the person is shown of themselves: every route that can be read, a search and the file of an export. */
async function readAsPerson(telephone: Telephone, teller: Teller): Promise<Telling[]> {
  const routes = await readableRoutes(telephone, [teller]);
  const search = `/v1/memories/search?q=${encodeURIComponent(`${teller.word} ${teller.topic}`)}`;
  const answers = await read(telephone, teller.key, [...routes, search]);
  return [
    ...answers.map(({ where, text }) => ({ where: `${where} by its person`, text })),
    { where: '/memories export by its person', text: await teller.exported() },
  ];
}

async function readAsOperator(telephone: Telephone, tellers: readonly Teller[]): Promise<Telling[]> {
  const routes = await readableRoutes(telephone, tellers);
  const answers = await read(telephone, telephone.suite.key, [...routes, '/admin/queues/api/queues']);
  return answers.map(({ where, text }) => ({ where: `${where} by the operator`, text }));
}

async function read(telephone: Telephone, key: string, paths: readonly string[]): Promise<Telling[]> {
  const tellings: Telling[] = [];
  for (const path of paths) {
    const response = await fetch(`${telephone.suite.stack.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    // Whatever the status is: an error has words as well.
    tellings.push({ where: `GET ${path.replace(/\?.*/, '')}`, text: await response.text() });
  }
  return tellings;
}

/** Every route that can be read, once with each id of these people's that it takes. */
async function readableRoutes(telephone: Telephone, tellers: readonly Teller[]): Promise<string[]> {
  const { suite } = telephone;
  const { paths } = (await telephone.api(suite.key, 'GET', '/docs/openapi.json')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const personIds = tellers.flatMap((teller) => teller.personIds);
  const idsOf = async (column: string, table: string) => {
    const rows = await suite.query<{ id: string }>(
      `SELECT ${column}::text AS id FROM ${table} WHERE person_id = ANY($1)`,
      [personIds],
    );
    return rows.map(({ id }) => id);
  };
  const conversations = await idsOf('conversation_id', 'conversations');
  const turns = await idsOf('turn_id', 'turns');
  const outbox = await idsOf('id', 'outbox');
  const idsFor = (path: string): string[] => {
    if (path.includes('/companions/')) return ['mira'];
    if (path.includes('/conversations/')) return conversations;
    if (path.includes('/turns/')) return turns;
    if (path.includes('/outbox/')) return outbox;
    return personIds;
  };
  return (
    Object.entries(paths)
      // A picture has no words.
      .filter(([path, methods]) => 'get' in methods && !path.endsWith('.png'))
      .flatMap(([path]) => {
        if (!path.includes('{')) return [path];
        const ids = path.includes('{id}') ? idsFor(path) : personIds;
        return ids.flatMap((id) => {
          const named = path.replace('{id}', id);
          if (!named.includes('{')) return [named];
          return personIds.map((personId) => named.replaceAll(/\{\w+\}/g, personId));
        });
      })
  );
}

/** Words that were forgotten for good and still stand in a table, or in the index, once they have had their time. */
async function findAtRest(
  suite: FaultSuite,
  words: readonly ForgottenWord[],
  gone: readonly string[],
): Promise<ToldAgain[]> {
  const tables = await suite.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const look = async () => {
    const found: { word: string; where: string }[] = [];
    for (const { name } of tables) {
      const rows = await suite.query<{ word: string }>(
        `SELECT DISTINCT match[1] AS word FROM ${name} AS one, regexp_matches(one::text, $1, 'g') AS match`,
        [`(${FORGOTTEN_WORD.source})`],
      );
      found.push(...rows.map(({ word }) => ({ word, where: `the table ${name}` })));
    }
    if (suite.index === 'qdrant') {
      const payloads = JSON.stringify((await suite.qdrant.points()).map(({ payload }) => payload));
      for (const word of new Set(payloads.match(FORGOTTEN_WORD))) found.push({ word, where: 'Qdrant' });
    }
    return found.filter(({ word }) => gone.includes(word));
  };
  let found = await look();
  for (const until = performance.now() + BURNT_WITHIN_MS; found.length > 0 && performance.now() < until;) {
    await sleep(1_000);
    found = await look();
  }
  return found.map(({ word, where }) => {
    const { kind, place } = words.find((one) => one.word === word)!;
    return { kind, place, word, where };
  });
}
