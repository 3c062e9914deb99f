import type { AttemptView } from '@kith/contracts';
import type { JSX } from 'react';
import { PastTime } from '../page/past-time.js';
import { describeEnd, describeKind, describeSource } from './outreach-words.js';

interface AttemptListProps {
  attempts: readonly AttemptView[];
  nameOf: (companionId: string) => string;
  now: Date;
}

/** "Why did you write?": what companions started, the newest first, each with its reason and what that comes from. */
export function AttemptList({ attempts, nameOf, now }: AttemptListProps): JSX.Element {
  return (
    <ul className="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.id} data-status={attempt.status}>
          <p className="attempt-why">{attempt.because}</p>
          <p className="memory-origin">
            {nameOf(attempt.companionId)}, <PastTime at={attempt.decidedAt} now={now} /> ·{' '}
            {describeKind(attempt.kind)} · {describeEnd(attempt)}
          </p>
          {attempt.sources.length > 0 && (
            <p className="memory-origin">From {attempt.sources.map(describeSource).join(', ')}.</p>
          )}
        </li>
      ))}
    </ul>
  );
}
