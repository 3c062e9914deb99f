import type { CompanionView, RouteClient } from '@kith/contracts';
import { Button } from '../page/button.js';
import { PastTime } from '../page/past-time.js';
import { Problem } from '../page/problem.js';
import { describeEnd, describeSource, KIND_WORDS, onTheirClock } from './outreach-words.js';
import './outreach.css';
import { Places } from './places.js';
import { SettingsForm } from './settings-form.js';
import { useOutreach } from './use-outreach.js';

interface OutreachPageProps {
  api: RouteClient;
  companions: readonly CompanionView[];
  /** Number of times that something of the talk was forgotten or edited, or private talk switched, at any door. */
  talkChanges: number;
  /** Number of those that may have forgotten words. */
  talkForgets: number;
  now: Date;
}

/** Changes when companions may write first; shows what they have in mind, and why they wrote. */
export function OutreachPage({ api, companions, talkChanges, talkForgets, now }: OutreachPageProps) {
  const { view, problem, retry, attempts, change } = useOutreach(api, talkChanges, talkForgets);
  const nameOf = (id: string): string => companions.find((one) => one.id === id)?.name ?? id;
  if (view === null) {
    return (
      <main className="page outreach-page" aria-label="Writing first">
        <Problem words={problem} isLooking onRetry={retry} />
      </main>
    );
  }
  const { settings, outlook } = view;
  const { timeZone } = settings;
  const ahead = view.intentions.filter(({ status }) => status === 'open').toReversed();
  return (
    <main className="page outreach-page" aria-label="Writing first">
      <header>
        <h2>When a companion writes first</h2>
        <Places settings={settings} onChange={(wanted) => void change(wanted)} />
        <p className="hint" role="status">
          {outlook.words}
          {outlook.until !== null && ` Not before ${onTheirClock(outlook.until, timeZone)}.`}
        </p>
      </header>
      <Problem words={problem} onRetry={retry} />
      <section aria-label="Settings">
        <h3>When, and how often</h3>
        <SettingsForm settings={settings} onSave={(wanted) => change(wanted, 'form')} />
      </section>
      <section aria-label="In mind">
        <h3>What it has in mind</h3>
        {ahead.length === 0 ? (
          <p className="hint">Nothing. Ask it to come back to something: “ask me tomorrow how it went”.</p>
        ) : (
          <ul className="attempts">
            {ahead.map(({ id, about, kind, dueAt, companionId }) => (
              <li key={id}>
                <p className="attempt-why">“{about}”</p>
                <p className="memory-origin">
                  {nameOf(companionId)} · {KIND_WORDS[kind]} · {onTheirClock(dueAt, timeZone)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Why did you write?">
        <h3>Why did you write?</h3>
        <Attempts attempts={attempts} nameOf={nameOf} now={now} />
      </section>
    </main>
  );
}

interface AttemptsProps {
  attempts: ReturnType<typeof useOutreach>['attempts'];
  nameOf: (companionId: string) => string;
  now: Date;
}

/** "Why did you write?": what companions started, the newest first, each with its reason and what that comes from. */
function Attempts({ attempts, nameOf, now }: AttemptsProps) {
  const { read, problem, more, retry } = attempts;
  return (
    <>
      <Problem words={problem} isLooking={read === null} onRetry={retry} />
      {read?.list.items.length === 0 && <p className="hint">No companion has written to you first.</p>}
      <ul className="attempts">
        {read?.list.items.map((attempt) => (
          <li key={attempt.id} data-status={attempt.status}>
            <p className="attempt-why">{attempt.because}</p>
            <p className="memory-origin">
              {nameOf(attempt.companionId)}, <PastTime at={attempt.decidedAt} now={now} /> ·{' '}
              {KIND_WORDS[attempt.kind]} · {describeEnd(attempt)}
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
