import { cutText, isOpenTask, oneLine, type Contradiction, type TaskView } from '@kith/contracts';

/** Question to a person about what they said, which becomes a task: it is asked where it fits. */
export interface PlannedQuestion {
  text: string;
  /** Names the pair: it is planned once. */
  key: string;
  sources: string[];
}

/** Questions that one heartbeat plans: more would make an interrogation of it. */
const MAX_NEW = 2;
/** Characters of each side: two fit a task with their days. */
const MAX_SIDE = 100;
/** Most pairs that memory returns. At this number a missing pair may be unanswered all the same. */
const MAX_PAIRS = 20;
/** Messages that a task may name. */
const MAX_SOURCES = 200;
const BEGINNING = 'Ask them where it fits which is so:';

/** Decides what is to be asked about memories that do not go together, and which such tasks are over. Pure. */
export function planQuestions(
  contradictions: readonly Contradiction[],
  tasks: readonly TaskView[],
): { ask: PlannedQuestion[]; answeredTasks: TaskView[] } {
  const questions = contradictions.map(wordQuestion);
  const texts = new Set(questions.map(({ text }) => text));
  const asking = tasks.filter(
    (task) => isOpenTask(task) && task.notedBy === 'companion' && task.text.startsWith(BEGINNING),
  );
  const planned = new Set(tasks.map(({ text }) => text));
  return {
    ask: questions.filter(({ text }) => !planned.has(text)).slice(0, Math.max(0, MAX_NEW - asking.length)),
    answeredTasks: contradictions.length < MAX_PAIRS ? asking.filter(({ text }) => !texts.has(text)) : [],
  };
}

function wordQuestion({ sides }: Contradiction): PlannedQuestion {
  const told = sides.map(({ text, saidAt }) => `“${cut(oneLine(text))}” (${saidAt.slice(0, 10)})`);
  return {
    text: `${BEGINNING} ${told.join(' or ')}?`,
    key: `unsettled-${sides.map(({ id }) => id).join('-')}`,
    sources: [...new Set(sides.flatMap(({ sources }) => sources))].slice(-MAX_SOURCES),
  };
}

function cut(text: string): string {
  return text.length <= MAX_SIDE ? text : `${cutText(text, MAX_SIDE - 1)}…`;
}
