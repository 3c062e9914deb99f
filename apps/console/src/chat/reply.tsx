import { describeEnding } from '@kith/contracts';
import { Bloom } from '../mood/bloom.js';
import { LinkButton } from '../page/button.js';
import { clock } from '../page/describe-date.js';
import { sentence } from '../page/sentence.js';
import { describeDegraded } from './describe-degraded.js';
import { ReplyText } from './reply-text.js';
import type { VisibleItem } from './visible-items.js';
import './reply.css';

interface ReplyProps {
  item: Extract<VisibleItem, { kind: 'reply' }>;
  name: string;
  isSelected: boolean;
  onSelect: (turnId: string) => void;
}

/** Shows what the companion said, or why it did not, and what the reply had to do without. */
export function Reply({ item, name, isSelected, onSelect }: ReplyProps) {
  const { ending, turn, turnId, state, text } = item;
  // A silence that was seen live has no ending while the talk is read again.
  const silence = text === '' ? `${name} did not reply to this` : null;
  const note = ending === null ? silence : describeEnding(ending, name);
  return (
    <article
      className="reply"
      aria-label={`${name}'s reply`}
      aria-busy={state !== 'done'}
      data-state={state}
      data-selected={isSelected}
      data-outcome={ending?.outcome}
    >
      <Bloom pad={item.mood?.pad ?? null} className="reply-bloom" />
      <div className="reply-text">
        {text !== '' && <ReplyText text={text} />}
        {state === 'thinking' && <Thinking name={name} restarted={item.restarted} />}
        {state === 'done' && note !== null && <p className="reply-note">{sentence(note)}</p>}
      </div>
      {state === 'done' && (
        <footer className="reply-foot">
          <time dateTime={item.at}>{clock(new Date(item.at))}</time>
          {ending?.rehearsal === true && <span className="badge">rehearsal: offline stand-in</span>}
          {ending !== null &&
            describeDegraded(ending.degraded).map((words) => (
              <span key={words} className="badge badge-warn">
                {words}
              </span>
            ))}
          {turnId !== null && (
            <LinkButton aria-pressed={isSelected} onClick={() => onSelect(turnId)}>
              {recalledWords(turn)}
            </LinkButton>
          )}
        </footer>
      )}
    </article>
  );
}

function Thinking({ name, restarted }: { name: string; restarted: boolean }) {
  return (
    <p className="thinking">
      <span className="visually-hidden">{name} is thinking</span>
      <span className="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {restarted && <span className="thinking-note">begins anew</span>}
    </p>
  );
}

function recalledWords(turn: ReplyProps['item']['turn']): string {
  if (turn === null) return 'why this?';
  if (turn.recalled.length === 0) return 'nothing in mind';
  return `${turn.recalled.length} in mind`;
}
