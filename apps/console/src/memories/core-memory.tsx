import { memoryRoutes, type RouteClient } from '@kith/contracts';
import { useCallback, useState } from 'react';
import { useRecoveries } from '../api/recoveries.js';
import { useView } from '../api/use-view.js';
import { Problem } from '../page/problem.js';
import { CoreList, type Slot } from './core-list.js';

interface CoreMemoryProps {
  api: RouteClient;
  companionId: string;
  name: string;
  /** Number of changes to memories and talk that may have forgotten words of a block. */
  forgets: number;
}

/** Core memory of every place, read when it is opened: each prompt of a place carries it, and only its owner sees it here. */
export function CoreMemory({ api, companionId, name, forgets }: CoreMemoryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback(
    async () =>
      isOpen ? (await api.call(memoryRoutes.core, { query: { companion: companionId } })).blocks : null,
    [api, companionId, isOpen],
  );
  const { view: blocks, problem, act, retry } = useView(read, forgets);
  const recoveries = useRecoveries();
  const write = ({ label, audience, text: basedOn }: Slot, text: string): Promise<boolean> => {
    const body = { companion: companionId, audience, text, basedOn };
    return act(`${label} ${audience}`, () => api.call(memoryRoutes.editCore, { params: { label }, body }));
  };
  return (
    <details className="about-you" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What {name} keeps in mind all the time</summary>
      <Problem words={problem} isLooking={isOpen && blocks === null} onRetry={retry} />
      {blocks !== null && (
        <CoreList
          // What is being written may repeat what was forgotten.
          key={forgets}
          blocks={blocks}
          name={name}
          recoveries={recoveries}
          onWrite={write}
        />
      )}
    </details>
  );
}
