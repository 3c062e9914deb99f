import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../page/button.js';
import { isSameDay } from '../page/describe-date.js';
import { useEvery } from '../page/use-every.js';
import type { Thread } from './chat-thread.js';
import { dayWords } from './day-words.js';
import { OwnMessage } from './own-message.js';
import { Reply } from './reply.js';
import type { VisibleItem } from './visible-items.js';

interface TranscriptProps {
  items: VisibleItem[];
  thread: Thread;
  name: string;
  now: Date;
  isConnected: boolean;
  selectedTurnId: string | null;
  onSelect: (turnId: string) => void;
  onRetry: (messageId: string) => void;
  onDiscard: (messageId: string) => void;
  onOlder: () => void;
}

// Whoever scrolls down to nearer to the end than this reads along.
const AT_END_PIXELS = 80;
// Whoever scrolls up leaves the end at once; a browser that zooms counts in parts of a pixel.
const LEFT_END_PIXELS = 1;
/** Time in which a screen reader has looked at lines that came in: more than it waits to see whether others follow. */
const LOOKED_AT_MS = 500;

/** The conversation, oldest first. It follows what is new, unless the person has scrolled back to read. */
export function Transcript(props: TranscriptProps) {
  const { items, thread, name, now } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef({ firstKey: '', height: 0 });
  /** Height of its room, as last followed. */
  const room = useRef(0);
  /** Place that was scrolled to last, by somebody or by following. */
  const scrolledTo = useRef(0);
  const [isReadingBack, setReadingBack] = useState(false);
  const isQuiet = useQuiet(thread);

  useLayoutEffect(() => {
    const area = scroller.current;
    if (area === null) return;
    const firstKey = items[0]?.key ?? '';
    const gained = area.scrollHeight - before.current.height;
    const olderCame = before.current.firstKey !== '' && before.current.firstKey !== firstKey;
    // What was being read stays where it was when older messages come in above it.
    if (isReadingBack && olderCame) area.scrollTop += gained;
    // Somebody scrolls while words come in: of that the browser tells only after this.
    else if (!isReadingBack && hasLeftEnd(area, scrolledTo.current)) setReadingBack(true);
    else if (!isReadingBack) scrolledTo.current = toEnd(area);
    before.current = { firstKey, height: area.scrollHeight };
  }, [items, isReadingBack]);

  useEffect(() => {
    const area = scroller.current;
    if (area === null || isReadingBack) return undefined;
    // Its room changes as the box below grows, a notice comes above, or a phone is turned.
    const observer = new ResizeObserver(() => {
      room.current = area.clientHeight;
      scrolledTo.current = toEnd(area);
    });
    observer.observe(area);
    return () => observer.disconnect();
  }, [isReadingBack]);

  const hasOlder = (thread.stale ?? thread).olderCursor !== null;

  function onScroll(): void {
    const area = scroller.current;
    if (area === null) return;
    const from = scrolledTo.current;
    scrolledTo.current = area.scrollTop;
    // Nobody scrolled: its room has just shrunk, and the observer is about to follow.
    if (!isReadingBack && area.clientHeight < room.current) return;
    setReadingBack(hasLeftEnd(area, from) || belowOf(area) > AT_END_PIXELS);
  }

  return (
    <div className="transcript-frame">
      <div
        className="transcript"
        ref={scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-live={isQuiet ? 'off' : 'polite'}
        aria-label={`Conversation with ${name}`}
      >
        <div className="transcript-column">
          {hasOlder && (
            <Button
              className="older"
              // It stays enabled, or it would lose the focus.
              aria-disabled={thread.older === 'loading' || thread.stale !== null}
              onClick={() => {
                setReadingBack(true);
                props.onOlder();
              }}
            >
              {thread.older === 'loading' ? 'Loading …' : 'Older messages'}
            </Button>
          )}
          {thread.older === 'failed' && (
            <p className="history-problem" role="alert">
              Older messages could not be read.
            </p>
          )}
          {items.map((item, index) => {
            const previous = items[index - 1];
            const startsDay = previous === undefined || !isSameDay(new Date(previous.at), new Date(item.at));
            return (
              <Fragment key={`${item.kind}-${item.key}`}>
                {startsDay && <p className="day">{dayWords(item.at, now)}</p>}
                {item.kind === 'own' ? (
                  <OwnMessage
                    item={item}
                    metSilence={isSilence(items[index + 1])}
                    isConnected={props.isConnected}
                    onRetry={props.onRetry}
                    onDiscard={props.onDiscard}
                  />
                ) : (
                  <Reply
                    item={item}
                    name={name}
                    isSelected={item.turnId !== null && item.turnId === props.selectedTurnId}
                    onSelect={props.onSelect}
                  />
                )}
              </Fragment>
            );
          })}
        </div>
      </div>
      {isReadingBack && (
        <Button className="to-latest" onClick={() => setReadingBack(false)}>
          To the latest
        </Button>
      )}
    </div>
  );
}

/** Measures what is below the part that is seen, in pixels. */
function belowOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** Tells whether somebody has scrolled up, from where it was, and away from the end. */
function hasLeftEnd(area: HTMLElement, from: number): boolean {
  return area.scrollTop < from && belowOf(area) > LEFT_END_PIXELS;
}

/** Scrolls to the end, and returns the place. */
function toEnd(area: HTMLElement): number {
  area.scrollTop = area.scrollHeight;
  return area.scrollTop;
}

/** Tells if the log is no news: lines that are read anew, and older ones, would be told as if they were said just now. */
function useQuiet({ history, older }: Thread): boolean {
  const isRead = history === 'unloaded' || history === 'loading' || older === 'loading';
  const [isQuiet, setQuiet] = useState(isRead);
  // With the lines themselves the log must still be quiet, so it is until a while later.
  if (isRead && !isQuiet) setQuiet(true);
  useEvery(isQuiet && !isRead ? LOOKED_AT_MS : null, () => setQuiet(false));
  return isQuiet;
}

function isSilence(next: VisibleItem | undefined): boolean {
  return next?.kind === 'reply' && next.state === 'done' && next.text === '';
}
