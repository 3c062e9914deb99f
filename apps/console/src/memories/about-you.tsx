import { memoryRoutes, type RouteClient } from '@kith/contracts';
import { useCallback, useState } from 'react';
import { useRecoveries } from '../api/recoveries.js';
import { useView } from '../api/use-view.js';
import { Problem } from '../page/problem.js';

interface AboutYouProps {
  api: RouteClient;
  companionId: string;
  /** Number of changes to memories, after each of which the page is read again. */
  changes: number;
}

/** Page of what is known of the person, read when it is opened, and again with each change while it is open. */
export function AboutYou({ api, companionId, changes }: AboutYouProps) {
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback(
    async () => (isOpen ? api.call(memoryRoutes.describe, { query: { companion: companionId } }) : null),
    [api, companionId, isOpen],
  );
  // Its old words may be forgotten since: after a recovery, too, where they can't be read again.
  const { view: description, problem, retry } = useView(read, changes + useRecoveries());
  return (
    <details className="about-you" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What is known of you</summary>
      <Problem words={problem} isLooking={isOpen && description === null} onRetry={retry} />
      {description?.sections.length === 0 && <p>Nothing is known of you yet.</p>}
      {description?.sections.map(({ title, lines }) => (
        <section key={title} className="memories-day">
          <h3>{title}</h3>
          <ul>
            {lines.map(({ text, memoryIds }) => (
              <li key={memoryIds.join(' ')}>{text}</li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
}
