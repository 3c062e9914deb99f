import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while, as when typing pauses; while it is unfit, the last fit one. */
export function useSettled<T>(value: T, quietMs: number, isFit = true): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (!isFit) return undefined;
    const timer = window.setTimeout(() => setSettled(value), quietMs);
    return () => window.clearTimeout(timer);
  }, [value, quietMs, isFit]);
  return settled;
}
