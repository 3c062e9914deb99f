import { useRef, useState } from 'react';

/** Holds back what is pressed while something else is done. The button stays enabled, or it would lose the focus. */
export function useHold() {
  const [isBusy, setBusy] = useState(false);
  const holds = useRef(false);
  return {
    isBusy,
    /** Does one thing at a time: a second press does nothing, and answers false. */
    hold: async (work: () => Promise<boolean>): Promise<boolean> => {
      if (holds.current) return false;
      holds.current = true;
      setBusy(true);
      const isDone = await work();
      holds.current = false;
      setBusy(false);
      return isDone;
    },
  };
}
