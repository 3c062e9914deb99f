import { LinkButton } from '../page/button.js';
import { clock } from '../page/describe-date.js';
import { sentence } from '../page/sentence.js';
import type { VisibleItem } from './visible-items.js';

type OwnItem = Extract<VisibleItem, { kind: 'own' }>;

interface OwnMessageProps {
  item: OwnItem;
  /** True when it was read and gets no reply. */
  metSilence: boolean;
  isConnected: boolean;
  onRetry: (messageId: string) => void;
  onDiscard: (messageId: string) => void;
}

/** Shows what the person wrote, and how far it has got. */
export function OwnMessage({ item, metSilence, isConnected, onRetry, onDiscard }: OwnMessageProps) {
  const { messageId } = item;
  return (
    <article className="own" aria-label="Your message" data-state={item.state}>
      <div className="own-text">{item.text}</div>
      <p className="own-state">
        {item.state === 'refused' ? (
          <>
            <span role="alert">{sentence(item.problem ?? 'not taken')}</span>{' '}
            {messageId !== null && <LinkButton onClick={() => onRetry(messageId)}>Send again</LinkButton>}
          </>
        ) : (
          <>
            <time dateTime={item.at}>{clock(new Date(item.at))}</time>
            {stateWords(item, metSilence, isConnected)}
          </>
        )}{' '}
        {item.isDiscardable && messageId !== null && (
          <LinkButton onClick={() => onDiscard(messageId)}>Discard</LinkButton>
        )}
      </p>
    </article>
  );
}

function stateWords({ state, problem }: OwnItem, metSilence: boolean, isConnected: boolean): string {
  if (state === 'sending' && !isConnected) return ' · kept, sent on reconnecting';
  if (state === 'sending') return problem === null ? ' · sending' : ` · kept, sent again soon: ${problem}`;
  if (state === 'accepted') return ' · accepted';
  return metSilence ? ' · read' : ' · answered';
}
