import { memoryRoutes, type PersonDescription, type RouteClient } from '@kith/contracts';
import { useState, type JSX } from 'react';

/** Page of what is known of the person, read when it is opened. */
export function AboutYou({ api, companionId }: { api: RouteClient; companionId: string }): JSX.Element {
  const [description, setDescription] = useState<PersonDescription | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = (): void => {
    api.call(memoryRoutes.describe, { query: { companion: companionId } }).then(
      (page) => {
        setDescription(page);
        setProblem(null);
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : 'That did not work.'),
    );
  };
  return (
    <details className="about-you" onToggle={(event) => event.currentTarget.open && read()}>
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
