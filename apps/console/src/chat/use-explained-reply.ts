import { useEffect, useState } from 'react';
import type { useChat } from './use-chat.js';
import type { VisibleItem } from './visible-items.js';

/** Keeps which reply is explained beside the talk, the chosen one or else the latest, and has its reasons read. */
export function useExplainedReply(
  { state, loadTurn }: ReturnType<typeof useChat>,
  items: readonly VisibleItem[],
) {
  const [chosenTurnId, setChosenTurnId] = useState<string | null>(null);
  const replies = items.filter((item) => item.kind === 'reply');
  const latest = replies.findLast(({ turnId }) => turnId !== null);
  const reply = replies.find(({ turnId }) => turnId === chosenTurnId) ?? latest;
  const turnToRead = reply?.state === 'done' ? reply.turnId : null;
  useEffect(() => {
    if (turnToRead !== null && state.turns[turnToRead] === undefined) loadTurn(turnToRead);
  }, [turnToRead, state.turns, loadTurn]);

  return {
    reply,
    isLatest: reply === latest,
    /** True where its reasons could not be read. */
    hasFailed: turnToRead !== null && state.turns[turnToRead] === null,
    retry: () => {
      if (turnToRead !== null) loadTurn(turnToRead);
    },
    choose: (turnId: string) => setChosenTurnId(turnId === latest?.turnId ? null : turnId),
    chooseLatest: () => setChosenTurnId(null),
  };
}
