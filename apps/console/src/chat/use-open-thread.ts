import { useEffect } from 'react';
import { useEvery } from '../page/use-every.js';
import { threadWith, type Thread } from './chat-thread.js';
import type { useChat } from './use-chat.js';

/** Time until a talk that could not be read is read again: as often as the page checks what is down. */
const READ_AGAIN_MS = 10_000;

/**
 * Has the open thread read, and read again until that works.
 * @param companionId whose thread is open; empty before it is known
 */
export function useOpenThread(
  { state, loadNewest }: ReturnType<typeof useChat>,
  companionId: string,
): Thread {
  const thread = threadWith(state, companionId);
  const isUnread = thread.history === 'unloaded';
  useEffect(() => {
    // At first, after each reconnect and once something was forgotten.
    if (companionId !== '' && isUnread) void loadNewest(companionId);
  }, [companionId, isUnread, loadNewest]);

  useEvery(thread.history === 'failed' ? READ_AGAIN_MS : null, () => void loadNewest(companionId));
  return thread;
}
