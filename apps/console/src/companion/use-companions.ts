import { CompanionList, companionRoutes, jsonOf, type RouteClient } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import { openBrowserStore } from '../page/browser-store.js';
import { wordsOf } from '../page/problem.js';

const browser = openBrowserStore('localStorage');
const STORAGE_NAME = 'kith.companion';
const KNOWN_NAME = 'kith.companions';
/** About as long as a service takes to restart. */
const RETRY_MS = 5_000;

/**
 * The suite's companions and whom the person talks to; the choice outlives a reload. Until they are read, those of the
 * last visit are shown: personality may be down while they still answer.
 */
export function useCompanions(api: RouteClient) {
  const [known] = useState(() => jsonOf(CompanionList, browser.read(KNOWN_NAME) ?? 'null'));
  const [all, setAll] = useState(known?.companions ?? []);
  const [chosenId, setChosenId] = useState(() => browser.read(STORAGE_NAME));
  const [fallbackId, setFallbackId] = useState(known?.defaultCompanion ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const refresh = useCallback(() => setRound((before) => before + 1), []);

  useEffect(() => {
    let isCurrent = true;
    let timer: number | undefined;
    const read = (): void => {
      api.call(companionRoutes.list).then(
        ({ companions, defaultCompanion }) => {
          if (!isCurrent) return;
          setAll(companions);
          setFallbackId(defaultCompanion);
          browser.write(KNOWN_NAME, JSON.stringify({ companions, defaultCompanion }));
          setProblem(null);
        },
        (error: unknown) => {
          if (!isCurrent) return;
          setProblem(wordsOf(error));
          timer = window.setTimeout(read, RETRY_MS);
        },
      );
    };
    read();
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [api, round]);

  const chosen =
    all.find(({ id }) => id === chosenId) ?? all.find(({ id }) => id === fallbackId) ?? all[0] ?? null;
  const choose = (id: string): void => {
    browser.write(STORAGE_NAME, id);
    setChosenId(id);
  };
  return { all, chosen, refresh, problem, choose };
}
