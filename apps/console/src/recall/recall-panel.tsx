import type { RecalledMemory } from '@kith/contracts';
import { LinkButton } from '../page/button.js';
import { PastTime } from '../page/past-time.js';
import { Problem } from '../page/problem.js';
import { describeAudience, describeMemory } from './describe-memory.js';
import { ScoreParts } from './score-parts.js';
import './recall.css';

interface RecallPanelProps {
  name: string;
  /** Null while it is not known: no reply yet, or its reasons are still being read. */
  recalled: readonly RecalledMemory[] | null;
  /** True where it could not be read. */
  hasFailed: boolean;
  hasReplies: boolean;
  wasOutOfReach: boolean;
  isLatest: boolean;
  now: Date;
  onRetry: () => void;
  onLatest: () => void;
}

/** Shows the memories that came to mind for one reply, and why. */
export function RecallPanel(props: RecallPanelProps) {
  const { name, recalled, now } = props;
  return (
    <section className="panel recall" aria-label="In mind">
      <header className="panel-head">
        <h2>In mind</h2>
        {props.isLatest ? (
          props.hasReplies && <p className="hint">for the latest reply</p>
        ) : (
          <LinkButton onClick={props.onLatest}>back to the latest reply</LinkButton>
        )}
      </header>
      {recalled === null && props.hasFailed ? (
        <Problem words="What it had in mind could not be read." onRetry={props.onRetry} />
      ) : recalled === null || recalled.length === 0 ? (
        <p className="hint">{emptyWords(props)}</p>
      ) : (
        <ul className="memories" aria-label={`What ${name} recalled`}>
          {recalled.map((memory) => (
            <MemoryCard key={memory.id} memory={memory} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function MemoryCard({ memory, now }: { memory: RecalledMemory; now: Date }) {
  return (
    <li className="memory">
      <p className="memory-text">{memory.text}</p>
      <p className="memory-origin">
        <PastTime at={memory.saidAt} now={now} /> · {describeMemory(memory)} ·{' '}
        {describeAudience(memory.audience)}
      </p>
      <ScoreParts why={memory.why} label="Why it came to mind" />
    </li>
  );
}

function emptyWords({ name, recalled, hasReplies, wasOutOfReach }: RecallPanelProps): string {
  if (!hasReplies) return `When ${name} replies, what it remembered for that stands here, and why.`;
  if (recalled === null) return 'Looking up what it had in mind …';
  if (wasOutOfReach) return `Memory was out of reach: ${name} replied without recall.`;
  return `Nothing came to mind for this reply. ${name} remembers more the more you talk.`;
}
