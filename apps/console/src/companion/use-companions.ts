import type { CompanionView } from '@kith/contracts';
import { useEffect, useState } from 'react';
import type { ApiClient } from '../api/api-client.js';

const STORAGE_NAME = 'kith.companion';
const RETRY_MS = 5_000;

interface Companions {
  all: CompanionView[];
  /** Null until they have been read. */
  chosen: CompanionView | null;
  choose(id: string): void;
  /** Why they could not be read; it is tried again until they can. */
  problem: string | null;
}

/** The suite's companions and whom the person talks to; the choice outlives a reload. */
export function useCompanions(api: ApiClient): Companions {
  const [all, setAll] = useState<CompanionView[]>([]);
  const [chosenId, setChosenId] = useState(() => window.localStorage.getItem(STORAGE_NAME));
  const [fallbackId, setFallbackId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    let isCurrent = true;
    let timer: number | undefined;
    const read = (): void => {
      api.companions().then(
        ({ companions, defaultCompanion }) => {
          if (!isCurrent) return;
          setAll(companions);
          setFallbackId(defaultCompanion);
          setProblem(null);
        },
        (error: unknown) => {
          if (!isCurrent) return;
          setProblem(error instanceof Error ? error.message : 'The companions could not be read.');
          timer = window.setTimeout(read, RETRY_MS);
        },
      );
    };
    read();
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [api]);

  const chosen =
    all.find(({ id }) => id === chosenId) ?? all.find(({ id }) => id === fallbackId) ?? all[0] ?? null;
  return {
    all,
    chosen,
    choose: (id) => {
      window.localStorage.setItem(STORAGE_NAME, id);
      setChosenId(id);
    },
    problem,
  };
}
