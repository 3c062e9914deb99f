import { memoryRoutes, type PersonDescription, type RouteClient } from '@kith/contracts';
import { useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { useRecoveries } from '../api/recoveries.js';
import { Problem, wordsOf } from '../page/problem.js';

interface AboutYouProps {
  api: RouteClient;
  companionId: string;
  /** Number of changes to memories, after each of which the page is read again. */
  changes: number;
}

/** Page of what is known of the person, read when it is opened, and again with each change while it is open. */
export function AboutYou({ api, companionId, changes }: AboutYouProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [description, setDescription] = useState<PersonDescription | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const recoveries = useRecoveries();
  useEffect(() => {
    if (!isOpen) return undefined;
    return followRequest(
      api.call(memoryRoutes.describe, { query: { companion: companionId } }),
      (page) => {
        setDescription(page);
        setProblem(null);
      },
      (error) => {
        // Its old words may be forgotten by now.
        setDescription(null);
        setProblem(wordsOf(error));
      },
    );
  }, [api, companionId, isOpen, changes, recoveries]);
  return (
    <details className="about-you" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What is known of you</summary>
      <Problem words={problem} />
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
