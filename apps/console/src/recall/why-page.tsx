import { describeCounts, type ExplainedCandidate, firstOf, type MemoryWhy } from '@kith/contracts';
import { useState } from 'react';
import type { CompanionPageProps } from '../page/companion-page.js';
import { dayOf } from '../page/describe-date.js';
import { PastTime } from '../page/past-time.js';
import { Problem } from '../page/problem.js';
import { useDebounced } from '../page/use-debounced.js';
import { describeFate, describeMatch, describeQuestion } from './candidate-words.js';
import { describeOrigin } from './describe-memory.js';
import { ScoreParts } from './score-parts.js';
import { useWhy } from './use-why.js';
import './recall.css';
import './why.css';

/** Pause in typing after which the question is asked. */
const TYPED_MS = 400;

/** Accounts for the recall of a question: every candidate, what was cut and why, and what would stand in the prompt. */
export function WhyPage({ api, companionId, name, talkChanges, now }: CompanionPageProps) {
  const [typed, setTyped] = useState('');
  const question = useDebounced(typed.trim(), TYPED_MS);
  const { account, problem, retry } = useWhy(api, companionId, question, talkChanges);
  return (
    <main className="page why-page" aria-label="What comes to mind, and why">
      <header className="page-head">
        <h2>What comes to mind, and why</h2>
        <input
          type="search"
          aria-label="Question"
          placeholder={`Ask what you would ask ${name}`}
          value={typed}
          maxLength={2_000}
          onChange={(event) => setTyped(event.target.value)}
        />
        {account !== null && (
          <>
            <p className="why-read">Read as: {describeQuestion(account)}</p>
            <p className="why-read">{describeCounts(account).join(' · ')}</p>
          </>
        )}
      </header>
      <Problem words={problem} onRetry={retry} />
      {account === null ? (
        problem === null && (
          <p className="hint">
            {question === ''
              ? `Nothing is said to ${name}: this only looks, as ${name} would while answering.`
              : 'Looking …'}
          </p>
        )
      ) : (
        <div className="why-rooms">
          <section aria-label="Candidates">
            {account.candidates.length === 0 && <p className="hint">Nothing was found.</p>}
            <ol className="memories">
              {account.candidates.map((candidate) => (
                <Candidate key={candidate.memory.id} candidate={candidate} now={now} />
              ))}
            </ol>
          </section>
          <Prompt account={account} />
        </div>
      )}
    </main>
  );
}

function Candidate({ candidate, now }: { candidate: ExplainedCandidate; now: Date }) {
  const { memory, why, fate, inPrompt } = candidate;
  const match = describeMatch(candidate);
  return (
    <li className="memory" data-fate={fate}>
      <p className="why-fate">
        {why !== null && <b>{why.score.toFixed(2)}</b>} {describeFate(candidate)}
        {inPrompt !== null &&
          (inPrompt === 'found' ? ' · in the prompt' : ' · in the prompt, beside another')}
      </p>
      <p className="memory-text">{memory.text}</p>
      <p className="memory-origin">
        <PastTime at={memory.saidAt} now={now} /> · {describeOrigin(memory)}
      </p>
      {match.length > 0 && <p className="why-match">{match.join(' · ')}</p>}
      {why !== null && <ScoreParts why={why} label="Parts of its score" />}
    </li>
  );
}

function Prompt({ account: { passages, core, wishes, lore, bounds } }: { account: MemoryWhy }) {
  const isEmpty = passages.length + core.length + wishes.length + lore.length === 0;
  return (
    <section className="panel why-prompt" aria-label="In the prompt">
      <header className="panel-head">
        <h2>In the prompt</h2>
        <p className="hint">at most {bounds.tokens} tokens</p>
      </header>
      {isEmpty && <p className="hint">Nothing of memory.</p>}
      {core.map(({ label, text }) => (
        <p key={label}>
          <b>Core memory, {label}</b> {text}
        </p>
      ))}
      {wishes.map(({ id, kind, text }) => (
        <p key={id}>
          <b>{kind === 'wish' ? 'How to answer' : 'Preference'}</b> {text}
        </p>
      ))}
      {lore.map(({ id, name, content }) => (
        <p key={id}>
          <b>Lore, {name}</b> {content}
        </p>
      ))}
      {passages.map(({ saidAt, lines }) => (
        <div key={firstOf(lines).id} className="why-passage">
          <time dateTime={saidAt}>{dayOf(saidAt)}</time>
          {lines.map(({ id, speaker, text, isFound }) => (
            <p key={id} data-found={isFound}>
              {speaker !== null && `${speaker}: `}
              {text}
            </p>
          ))}
        </div>
      ))}
    </section>
  );
}
