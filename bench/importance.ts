// What importance changes, on real conversations: what recall finds, what survives the archive, what a day's reflection
// and the page about somebody are made of, and what outreach asks about. By rules, as without a model.
//   npm run bench:importance -- FILE…   (LoCoMo and BEAM)
import { present, lastOf } from '@kith/contracts';
import { planConsolidation } from '../services/memory/dist/consolidation/plan-consolidation.js';
import { contentHashOf } from '../services/memory/dist/words/content-hash.js';
import { MATTERS } from '../services/memory/dist/owner/describe-person.js';
import { scoreImportance, SMALL_TALK } from '../services/memory/dist/words/score-importance.js';
import { chooseInterest } from '../services/proactive-scheduler/dist/reasons/choose-interest.js';
import type { Conversation } from './locomo.ts';
import { oneDigit, printTables, writeResult } from './figures.ts';
import { compare, inWords } from './memory/compare.ts';
import { ConversationRecall, type Line } from './memory/in-process.ts';
import { readMeasuredSets, UNANSWERABLE } from './memory/measured-sets.ts';
import { measure, type Outcome } from './memory/outcome.ts';
import { readFacts } from './memory/read-facts.ts';
import { orExit } from './options.ts';

const LIMIT = 20;

const sets = await orExit(readMeasuredSets(process.argv.slice(2), 'npm run bench:importance -- FILE…'));
const result: Record<string, object> = {};
for (const { name, conversations } of sets) {
  const lines = conversations.map((conversation) => new ConversationRecall(conversation).lines);
  const told = {
    scorer: timeScorer(lines.flat()),
    lines: describeLines(conversations, lines),
    recall: compareRecall(conversations),
    reflections: await compareReflections(conversations, lines),
    outreach: compareOutreach(conversations),
  };
  console.log(`\n${name}`);
  printTables(told);
  result[name] = told;
}
await writeResult('importance', result);

function timeScorer(lines: readonly Line[]): Record<string, number> {
  const started = performance.now();
  for (const { text } of lines) scoreImportance(text);
  const us = (1_000 * (performance.now() - started)) / lines.length;
  const distinct = new Set(lines.map(({ text }) => contentHashOf(text))).size;
  return {
    lines: lines.length,
    'µs a line': oneDigit(us),
    'said before, in percent': oneDigit((100 * (lines.length - distinct)) / lines.length),
  };
}

/** Shares of lines, and of those that hold an answer, by how important they are. */
function describeLines(
  conversations: readonly Conversation[],
  lines: readonly (readonly Line[])[],
): Record<string, object> {
  const all = lines.flat();
  const answers = conversations.flatMap((conversation, at) => {
    const evidence = evidenceOf(conversation);
    return present(lines[at]).filter(({ sources }) => sources.some((source) => evidence.has(source)));
  });
  const share = (some: readonly Line[], test: (importance: number) => boolean) =>
    oneDigit((100 * some.filter(({ importance }) => test(importance)).length) / some.length);
  const row = (test: (importance: number) => boolean) => ({
    'lines, in percent': share(all, test),
    'lines that answer': share(answers, test),
  });
  return {
    [`small talk, under ${SMALL_TALK}`]: row((importance) => importance < SMALL_TALK),
    [`in between`]: row((importance) => importance >= SMALL_TALK && importance < MATTERS),
    [`matters, from ${MATTERS}`]: row((importance) => importance >= MATTERS),
  };
}

/** Differences to recall as it is: without the boost, and with as much archived by importance as by chance. */
function compareRecall(conversations: readonly Conversation[]): Record<string, object> {
  const asked = (recallOf: (conversation: Conversation) => ConversationRecall): Outcome[] =>
    conversations.flatMap((conversation) => {
      const recall = recallOf(conversation);
      return conversation.questions
        .filter(({ category, evidence }) => !UNANSWERABLE.has(category) && evidence.length > 0)
        .map(({ question, evidence }) => measure(evidence, recall.ask(question, LIMIT).ranked));
    });
  const asItIs = asked((conversation) => new ConversationRecall(conversation));
  const variants = {
    'all as important': asked((each) => new ConversationRecall(each, { importanceOf: () => 1 })),
    'small talk in the archive': asked(
      (each) => new ConversationRecall(each, { keep: ({ importance }) => importance >= SMALL_TALK }),
    ),
    'as much of any in the archive': asked((each) => {
      const { lines } = new ConversationRecall(each);
      const gone = lines.filter(({ importance }) => importance < SMALL_TALK).length / lines.length;
      // A hash of the words stands for chance: the same ones each time.
      return new ConversationRecall(each, { keep: ({ text }) => chanceOf(text) >= gone });
    }),
  };
  return Object.fromEntries(
    Object.entries(variants).map(([name, outcomes]) => [
      name,
      Object.fromEntries(
        (['hit@5', 'hit@10', 'nDCG@10'] as const).map((measured) => {
          const scores = (some: readonly Outcome[]) => some.map((each) => 100 * each[measured]);
          return [measured, inWords(compare(scores(outcomes), scores(asItIs)))];
        }),
      ),
    ]),
  );
}

/** Share of a day's lines that answer, among those that its reflection quotes: by importance, and the first ones. */
async function compareReflections(
  conversations: readonly Conversation[],
  lines: readonly (readonly Line[])[],
): Promise<Record<string, object>> {
  const quoted = async (importanceOf: (line: Line) => number): Promise<number> => {
    let [answers, all] = [0, 0];
    for (const [at, conversation] of conversations.entries()) {
      const evidence = evidenceOf(conversation);
      const days = Map.groupBy(present(lines[at]), ({ saidAt }) => saidAt.toISOString().slice(0, 10));
      for (const day of days.values()) {
        const episodes = day.map((line) => ({
          id: line.id,
          text: line.text,
          audience: 'direct',
          importance: importanceOf(line),
          saidAt: line.saidAt,
          sources: line.sources,
        }));
        const { reflections } = await planConsolidation(episodes);
        for (const { sources } of reflections) {
          all += sources.length;
          answers += sources.filter((source) => evidence.has(source)).length;
        }
      }
    }
    return oneDigit((100 * answers) / all);
  };
  return {
    'quoted lines that answer, in percent': {
      'by importance': await quoted(({ importance }) => importance),
      'the first': await quoted(() => 1),
    },
  };
}

/** Chooses what outreach would ask each speaker about, by what is known of them at the end: by importance, and without. */
function compareOutreach(conversations: readonly Conversation[]): Record<string, object> {
  const picks = conversations.flatMap((conversation) => {
    const now = new Date(lastOf(conversation.turns).at);
    return readFacts(conversation).flatMap((facts) => {
      const by = chooseInterest(facts, new Set(), now);
      const without = chooseInterest(
        facts.map((fact) => ({ ...fact, importance: 1 })),
        new Set(),
        now,
      );
      const weight = (id: string) => facts.find((fact) => fact.id === id)?.importance ?? 0;
      return by && without ? [{ by: weight(by.memoryId), without: weight(without.memoryId) }] : [];
    });
  });
  const mean = (of: (pick: (typeof picks)[number]) => number) =>
    picks.length === 0 ? 0 : oneDigit(picks.reduce((sum, pick) => sum + of(pick), 0) / picks.length);
  return {
    'people asked': { value: picks.length },
    'mean importance of the pick': { value: mean(({ by }) => by) },
    without: { value: mean(({ without }) => without) },
  };
}

function evidenceOf({ questions }: Conversation): Set<string> {
  return new Set(questions.flatMap(({ evidence }) => evidence));
}

/** A number in [0, 1) that is the same for the same words. */
function chanceOf(text: string): number {
  return Number.parseInt(contentHashOf(text).slice(0, 8), 16) / 2 ** 32;
}
