import { Button } from '../page/button.js';
import { PastTime } from '../page/past-time.js';
import { Problem } from '../page/problem.js';
import { describeEnd, describeKind, describeSource } from './outreach-words.js';
import type { useOutreach } from './use-outreach.js';

interface AttemptListProps {
  known: ReturnType<typeof useOutreach>['attempts'];
  nameOf: (companionId: string) => string;
  now: Date;
}

/** "Why did you write?": what companions started, the newest first, each with its reason and what that comes from. */
export function AttemptList({ known, nameOf, now }: AttemptListProps) {
  const { read, problem, more, retry } = known;
  return (
    <>
      <Problem words={problem} onRetry={retry} />
      {read === null && problem === null && <p role="status">Looking …</p>}
      {read?.list.items.length === 0 && <p className="hint">No companion has written to you first.</p>}
      <ul className="attempts">
        {read?.list.items.map((attempt) => (
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
      {read?.list.cursor != null && <Button onClick={more}>Earlier ones</Button>}
    </>
  );
}
