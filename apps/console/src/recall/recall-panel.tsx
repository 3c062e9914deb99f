import type { RecalledMemory, TurnView } from '@kith/contracts';
import { LinkButton } from '../page/button.js';
import { PastTime } from '../page/past-time.js';
import { Problem } from '../page/problem.js';
import { describeOrigin } from './describe-memory.js';
import { ScoreParts } from './score-parts.js';
import './recall.css';

/** Reply whose reasons are shown, and the way back to the latest. */
interface ExplainedReply {
  reply: { recalled: readonly RecalledMemory[] | null; turn: Pick<TurnView, 'degraded'> | null } | undefined;
  isLatest: boolean;
  /** True where its reasons could not be read. */
  hasFailed: boolean;
  retry: () => void;
  chooseLatest: () => void;
}

interface RecallPanelProps {
  name: string;
  explained: ExplainedReply;
  now: Date;
}

/** Shows the memories that came to mind for one reply, and why. */
export function RecallPanel({ name, explained, now }: RecallPanelProps) {
  const { reply, isLatest, hasFailed, retry, chooseLatest } = explained;
  // Null while it is not known: no reply yet, or its reasons are still being read.
  const recalled = reply?.recalled ?? null;
  return (
    <section className="panel recall" aria-label="In mind">
      <header className="panel-head">
        <h2>In mind</h2>
        {isLatest ? (
          reply && <p className="hint">for the latest reply</p>
        ) : (
          <LinkButton onClick={chooseLatest}>back to the latest reply</LinkButton>
        )}
      </header>
      {recalled === null && hasFailed ? (
        <Problem words="What it had in mind could not be read." onRetry={retry} />
      ) : recalled === null || recalled.length === 0 ? (
        <p className="hint">{emptyWords(name, reply)}</p>
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
        <PastTime at={memory.saidAt} now={now} /> · {describeOrigin(memory)}
      </p>
      <ScoreParts why={memory.why} label="Why it came to mind" />
    </li>
  );
}

function emptyWords(name: string, reply: ExplainedReply['reply']): string {
  if (!reply) return `When ${name} replies, what it remembered for that stands here, and why.`;
  if (!reply.recalled) return 'Looking up what it had in mind …';
  if (reply.turn?.degraded.includes('memory'))
    return `Memory was out of reach: ${name} replied without recall.`;
  return `Nothing came to mind for this reply. ${name} remembers more the more you talk.`;
}
