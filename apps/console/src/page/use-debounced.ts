import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while, as when typing pauses; while it is unfit, the last fit one. */
export function useDebounced<T>(value: T, quietMs: number, isFit = true): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (!isFit) return undefined;
    const timer = window.setTimeout(() => setDebounced(value), quietMs);
    return () => window.clearTimeout(timer);
  }, [value, quietMs, isFit]);
  return debounced;
}
