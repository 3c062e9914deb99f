import type { CompanionView, Pad } from '@kith/contracts';
import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { LinkButton } from '../page/button.js';
import { threadWith } from './chat-thread.js';
import { Composer } from './composer.js';
import { EmptyChat } from './empty-chat.js';
import { Transcript } from './transcript.js';
import type { useChat } from './use-chat.js';
import { useDraft } from './use-draft.js';
import type { VisibleItem } from './visible-items.js';
import './chat.css';

interface ChatViewProps {
  personId: string;
  chat: ReturnType<typeof useChat>;
  companion: CompanionView;
  items: VisibleItem[];
  pad: Pad | null;
  now: Date;
  selectedTurnId: string | null;
  onSelect: (turnId: string) => void;
  /** Stands between the talk and the box. */
  children: ReactNode;
}

/** The conversation with one companion. */
export function ChatView(props: ChatViewProps) {
  const { personId, chat, companion, items, pad, now, selectedTurnId, onSelect, children } = props;
  const [draft, setDraft] = useDraft(personId, companion.id);
  const box = useRef<HTMLTextAreaElement>(null);
  const thread = threadWith(chat.state, companion.id);
  const isConnected = chat.status !== 'reconnecting';

  /** Puts an opener into the box, and the caret behind it, to be sent or gone on with. */
  function begin(opener: string): void {
    flushSync(() => setDraft(opener));
    box.current?.focus();
    box.current?.setSelectionRange(opener.length, opener.length);
  }

  return (
    <section className="chat" aria-label="Chat">
      {thread.history === 'failed' && (
        <p className="history-problem" role="status">
          Earlier messages could not be read.{' '}
          <LinkButton onClick={() => void chat.loadNewest(companion.id)}>Try again</LinkButton>
        </p>
      )}
      {items.length === 0 && thread.history !== 'loading' && thread.history !== 'unloaded' ? (
        <EmptyChat companion={companion} pad={pad} onOpener={begin} />
      ) : (
        <Transcript
          items={items}
          thread={thread}
          now={now}
          isConnected={isConnected}
          selectedTurnId={selectedTurnId}
          onSelect={onSelect}
          name={companion.name}
          onRetry={chat.retry}
          onDiscard={chat.discard}
          onOlder={() => void chat.loadOlder(companion.id)}
        />
      )}
      {children}
      <Composer
        box={box}
        draft={draft}
        isConnected={isConnected}
        name={companion.name}
        refusal={chat.refusal}
        onDraft={setDraft}
        isAwaited={thread.live.some((item) => item.kind === 'own' && item.state === 'accepted')}
        stopProblem={chat.state.stopProblem}
        onSend={(text) => chat.send(companion.id, text)}
        onStop={() => chat.stop(companion.id)}
      />
    </section>
  );
}
