import { countHoldings, meRoutes, type PersonHoldings, type RouteClient } from '@kith/contracts';
import { useState } from 'react';
import { Button, LinkButton } from '../page/button.js';
import { Problem, wordsOf } from '../page/problem.js';
import { useOpened } from '../page/use-opened.js';

/** Leaves for good: everything of the person goes, at every service, and the key with it. */
export function EraseMe({ api, onErased }: { api: RouteClient; onErased: (words: string) => void }) {
  const [stores, setStores] = useState<PersonHoldings['stores']>({});
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<'question'>();
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = (work: Promise<void>): void => {
    setProblem(null);
    work.catch((error: unknown) => setProblem(wordsOf(error)));
  };
  const askFirst = async (): Promise<void> => {
    setStores((await api.call(meRoutes.holdings)).stores);
    open('question');
  };
  const erase = async (): Promise<void> => {
    const { personId } = await api.call(meRoutes.show);
    const erasure = await api.call(meRoutes.erase, { query: { confirm: personId } });
    onErased(
      erasure.finishedAt === null
        ? 'You are erased. What was kept of you is being removed.'
        : `You are erased: ${countHoldings(erasure.stores)} entries are gone.`,
    );
  };
  return (
    <div className="erase-me">
      {opened === null ? (
        <LinkButton ref={openerOf('question')} onClick={() => attempt(askFirst())}>
          Erase me everywhere
        </LinkButton>
      ) : (
        <p className="entry-acts" role="alert" onKeyDown={onKeyDown}>
          Erase all that is kept of you at every service, {countHoldings(stores)} entries, with your key and
          your settings? It can’t be undone.
          <Button onClick={() => attempt(erase())}>Erase me</Button>
          <LinkButton autoFocus onClick={leave}>
            Keep
          </LinkButton>
        </p>
      )}
      <Problem words={problem} />
    </div>
  );
}
