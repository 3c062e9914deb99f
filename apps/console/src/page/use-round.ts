import { useReducer } from 'react';

/** Counts rounds of what is done anew. Returns the number of this one, and what begins the next. */
export function useRound(): [round: number, next: () => void] {
  return useReducer((round: number) => round + 1, 0);
}
