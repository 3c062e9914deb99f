import { CompanionList, companionRoutes, jsonOf, type RouteClient } from '@kith/contracts';
import { useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { openBrowserStore } from '../page/browser-store.js';
import { wordsOf } from '../page/problem.js';
import { useEvery } from '../page/use-every.js';
import { useRound } from '../page/use-round.js';

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
  /** True from a read that failed until the next one. */
  const [isDue, setDue] = useState(false);
  const [round, refresh] = useRound();
  useEvery(isDue ? RETRY_MS : null, refresh);
  useEffect(() => {
    setDue(false);
    return followRequest(
      api.call(companionRoutes.list),
      ({ companions, defaultCompanion }) => {
        setAll(companions);
        setFallbackId(defaultCompanion);
        browser.write(KNOWN_NAME, JSON.stringify({ companions, defaultCompanion }));
        setProblem(null);
      },
      (error) => {
        setProblem(wordsOf(error));
        setDue(true);
      },
    );
  }, [api, round]);

  const chosen =
    all.find(({ id }) => id === chosenId) ?? all.find(({ id }) => id === fallbackId) ?? all[0] ?? null;
  const choose = (id: string): void => {
    browser.write(STORAGE_NAME, id);
    setChosenId(id);
  };
  return { all, chosen, refresh, problem, choose };
}
