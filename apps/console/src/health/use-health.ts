import { healthRoutes, type RouteClient, type SuiteHealth } from '@kith/contracts';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-client.js';
import { followRequest } from '../api/follow-request.js';
import { useEvery } from '../page/use-every.js';
import { describeHealth, UNREACHABLE, type Trouble } from './describe-health.js';
import { useRound } from '../page/use-round.js';

/** A page left open asks six times a minute. */
const POLL_MS = 10_000;

/** Checks which parts of the suite are down, every ten seconds and whenever something failed. */
export function useHealth(api: RouteClient) {
  const [troubles, setTroubles] = useState<Trouble[]>([]);
  const [models, setModels] = useState<SuiteHealth['models'] | null>(null);
  const [round, check] = useRound();

  useEffect(() => {
    return followRequest(
      api.call(healthRoutes.show),
      (health) => {
        // A key that may not see more gets the status alone.
        if (!('services' in health)) return;
        setTroubles(describeHealth(health));
        setModels(health.models);
      },
      (error) => {
        // A refusal is an answer: only silence, or a proxy that says so, is an outage.
        const isDown = error instanceof ApiError && (error.status === 0 || error.status >= 500);
        setTroubles((now) => (isDown ? [UNREACHABLE] : now.filter((trouble) => trouble !== UNREACHABLE)));
      },
    );
  }, [api, round]);
  useEvery(POLL_MS, check);

  return { troubles, models, check };
}
