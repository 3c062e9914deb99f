import { MAX_MESSAGE_CHARACTERS } from '@kith/contracts';
import { useEffect, useRef, type SubmitEvent, type KeyboardEvent, type RefObject } from 'react';
import { Button } from '../page/button.js';
import { isComposing } from '../page/is-composing.js';
import './composer.css';

interface ComposerProps {
  box: RefObject<HTMLTextAreaElement | null>;
  name: string;
  draft: string;
  isConnected: boolean;
  /** Reason why there is no connection, where the gateway gave one. */
  refusal: string | null;
  /** True while an answer is on its way. */
  isAwaited: boolean;
  /** Reason why it could not be stopped. */
  stopProblem: string | null;
  onDraft: (text: string) => void;
  onSend: (text: string) => void;
  onStop: () => void;
}

// From here on the person is told how much room is left.
const WARN_CHARACTERS = MAX_MESSAGE_CHARACTERS - 500;
/** Time in which the second press of a double click on Send comes: by then Stop may be in its place. */
const DOUBLE_CLICK_MS = 500;

/** Tells whether a finger is what points here: a keyboard on the screen has no Shift+Enter, so its Enter breaks the line. */
function isTouched(): boolean {
  return window.matchMedia('(pointer: coarse)').matches;
}

/**
 * Field in which the person writes. Enter sends and Shift+Enter breaks the line, but for a touch screen, where the button
 * sends, and Ctrl+Enter or Cmd+Enter; works without a connection too.
 */
export function Composer(props: ComposerProps) {
  const { box, name, draft, isConnected, refusal, isAwaited, stopProblem, onDraft, onSend, onStop } = props;
  const text = draft.trim();
  const isTooLong = text.length > MAX_MESSAGE_CHARACTERS;
  const sentAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    // The box grows with its text; CSS stops it.
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [box, draft]);

  function send(): void {
    if (text === '' || isTooLong) return;
    sentAt.current = performance.now();
    onSend(text);
    onDraft('');
    box.current?.focus();
  }

  function stop(): void {
    if (performance.now() - sentAt.current > DOUBLE_CLICK_MS) onStop();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    // Beside a touch screen there may be a whole keyboard, too.
    if (isTouched() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    send();
  }

  return (
    <form className="composer" onSubmit={onSubmit}>
      {!isConnected && (
        <p className="connection" role="status">
          {refusal === null ? 'reconnecting …' : `not connected: ${refusal} …`} what you send is kept and goes
          out once, as soon as the connection is back
        </p>
      )}
      {isAwaited && stopProblem !== null && (
        <p className="connection" role="alert">
          not stopped: {stopProblem}
        </p>
      )}
      <div className="composer-row">
        <textarea
          ref={box}
          rows={1}
          enterKeyHint={isTouched() ? 'enter' : 'send'}
          autoFocus
          aria-label={`Message to ${name}`}
          placeholder={`Write to ${name}`}
          value={draft}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isAwaited && isConnected && text === '' ? (
          <Button key="stop" onClick={stop} aria-label="Stop the answer" title="Stop the answer">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M7 7h10v10H7Z" />
            </svg>
          </Button>
        ) : (
          <button key="send" type="submit" disabled={text === '' || isTooLong} aria-label="Send">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 12h14M12 5.5 18.5 12 12 18.5" />
            </svg>
          </button>
        )}
      </div>
      {text.length > WARN_CHARACTERS && (
        <p className={isTooLong ? 'room room-none' : 'room'} role="status">
          {isTooLong
            ? `${text.length - MAX_MESSAGE_CHARACTERS} characters too long`
            : `${MAX_MESSAGE_CHARACTERS - text.length} characters left`}
        </p>
      )}
    </form>
  );
}
