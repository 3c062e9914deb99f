import { memoryRoutes, type PersonDescription, type RouteClient } from '@kith/contracts';
import { useEffect, useState, type JSX } from 'react';

interface AboutYouProps {
  api: RouteClient;
  companionId: string;
  /** Number of changes to what is kept: what is forgotten beside the page leaves it. */
  changes: number;
}

/** Page of what is known of the person, read when it is opened, and again with each change while it is open. */
export function AboutYou({ api, companionId, changes }: AboutYouProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const [description, setDescription] = useState<PersonDescription | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    api.call(memoryRoutes.describe, { query: { companion: companionId } }).then(
      (page) => {
        if (!isCurrent) return;
        setDescription(page);
        setProblem(null);
      },
      (error: unknown) => {
        if (!isCurrent) return;
        // What it told may be forgotten by now.
        setDescription(null);
        setProblem(error instanceof Error ? error.message : 'That did not work.');
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [api, companionId, isOpen, changes]);
  return (
    <details className="about-you" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What is known of you</summary>
      {problem !== null && (
        <p className="memories-problem" role="alert">
          {problem}
        </p>
      )}
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
