import { useCallback, useEffect, useState } from 'react';
import { ApiError, type ApiClient } from '../api/api-client.js';
import { describeHealth, UNREACHABLE, type Trouble } from './describe-health.js';

const POLL_MS = 10_000;

export interface Health {
  troubles: Trouble[];
  /** The offline stand-in answers, because no model is set. */
  isRehearsal: boolean;
  /** Looks at once, as after an error. */
  check(): void;
}

/** What of the suite is down, looked at every ten seconds and whenever something failed. */
export function useHealth(api: ApiClient): Health {
  const [troubles, setTroubles] = useState<Trouble[]>([]);
  const [isRehearsal, setRehearsal] = useState(false);
  const [round, setRound] = useState(0);
  const check = useCallback(() => setRound((number) => number + 1), []);

  useEffect(() => {
    let isCurrent = true;
    api.health().then(
      (health) => {
        if (!isCurrent) return;
        setTroubles(describeHealth(health));
        setRehearsal(health.models.rehearsal);
      },
      (error: unknown) => {
        // An answer that is a refusal is still an answer: only silence, or a proxy's word for it, is an outage.
        const isDown = error instanceof ApiError && (error.status === 0 || error.status >= 500);
        if (isCurrent && isDown) setTroubles([UNREACHABLE]);
      },
    );
    const timer = window.setTimeout(check, POLL_MS);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [api, round, check]);

  return { troubles, isRehearsal, check };
}
