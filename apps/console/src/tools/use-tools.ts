import { toolRoutes, type RouteClient, type ToolAnswer, type ToolQuestion } from '@kith/contracts';
import { useCallback, useState } from 'react';
import { useView } from '../api/use-view.js';
import { wordsOf } from '../page/problem.js';

/** Reads what a companion may use, and for operators the rules. */
export function useTools(api: RouteClient, companion: string, mayDecide: boolean) {
  const read = useCallback(async () => {
    const [{ tools, leftOut }, rules] = await Promise.all([
      api.call(toolRoutes.list, { query: { companion } }),
      mayDecide ? api.call(toolRoutes.rules) : null,
    ]);
    return { tools, leftOut, rules: rules?.rules ?? null };
  }, [api, companion, mayDecide]);
  const { view: board, problem, act, retry } = useView(read);
  return {
    board,
    problem,
    retry,
    /** Allows or denies a tool with every companion, everywhere. */
    decide: (name: string, allow: boolean) =>
      act(name, () => api.call(toolRoutes.setRule, { params: { name }, body: { allow } })),
    /** Has the person asked again before the tool is used. */
    takeBack: (name: string) =>
      act(name, () => api.call(toolRoutes.takeBack, { params: { name }, query: { companion } })),
  };
}

/**
 * Reads the questions that wait, at first, when told to and with each change, and sends the answers.
 * @param changes number of times that the suite came back, or that something of the talk, and with it a question, may
 * have been forgotten
 */
export function useToolQuestions(api: RouteClient, changes: number) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  /** Outcome of the last answer, in words; null before one. */
  const [end, setEnd] = useState<string | null>(null);
  /** True while an answer is on its way: a second one would be refused, and hide what came of the first. */
  const [isAnswering, setAnswering] = useState(false);
  const read = useCallback(async () => (await api.call(toolRoutes.questions)).questions, [api]);
  // Where it fails, they are read again with the next reply that asks, or the next recovery.
  const { view, reread } = useView<readonly ToolQuestion[]>(read, changes);
  // The first that was not put off on this page.
  const question = view?.find(({ id }) => !dismissed.has(id));
  return {
    question,
    reread,
    end,
    isAnswering,
    /** Takes away what is shown. A question stays unanswered, and is asked again once the page is opened anew. */
    dismiss: () => {
      if (end === null && question) setDismissed(new Set([...dismissed, question.id]));
      setEnd(null);
    },
    answer: async (id: string, answer: ToolAnswer) => {
      setAnswering(true);
      try {
        const { status, result } = await api.call(toolRoutes.answer, { params: { id }, body: { answer } });
        setDismissed((now) => new Set([...now, id]));
        setEnd(status === 'declined' ? 'It was not done.' : (result ?? 'Done.'));
      } catch (error) {
        setEnd(wordsOf(error));
      }
      setAnswering(false);
      await reread();
    },
  };
}
