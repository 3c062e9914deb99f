import { memoryRoutes, type CoreBlock, type RouteClient } from '@kith/contracts';
import { useCallback, useRef, useState, type JSX } from 'react';
import { useView } from '../api/use-view.js';
import { Problem } from '../page/problem.js';
import { CoreList } from './core-list.js';

interface CoreMemoryProps {
  api: RouteClient;
  companionId: string;
  name: string;
  /** Number of changes to memories and talk, any of which may have forgotten words of a block. */
  changes: number;
}

/** Core memory of every place, read when it is opened: each prompt of a place carries it, and only its owner sees it here. */
export function CoreMemory({ api, companionId, name, changes }: CoreMemoryProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback(
    async () =>
      isOpen ? (await api.call(memoryRoutes.core, { query: { companion: companionId } })).blocks : null,
    [api, companionId, isOpen],
  );
  const { view: blocks, problem, act, retry } = useView(read, changes);
  const summary = useRef<HTMLElement>(null);
  const write = async ({ label, audience, text: basedOn }: CoreBlock, text: string): Promise<boolean> => {
    let isWritten = false;
    await act(`${label} ${audience}`, async () => {
      const body = { companion: companionId, audience, text, basedOn };
      await api.call(memoryRoutes.editCore, { params: { label }, body });
      isWritten = true;
      // A block that was cleared takes its own button along.
      if (text === '') summary.current?.focus();
    });
    return isWritten;
  };
  return (
    <details className="about-you" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary ref={summary}>What {name} keeps in mind all the time</summary>
      <Problem words={problem} onRetry={retry} />
      {isOpen && blocks === null && problem === null && <p role="status">Looking …</p>}
      {/* What is being written may repeat what was forgotten. */}
      {blocks !== null && <CoreList key={changes} blocks={blocks} name={name} onWrite={write} />}
    </details>
  );
}
