import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@kith/embedded';
import type { Breach } from './check-invariants.ts';
import type { FaultSuite } from './fault-suite.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { Slowness } from './slowness.ts';
import type { Traffic } from './traffic.ts';

export interface FaultContext {
  suite: FaultSuite;
  traffic: Traffic;
  ledger: Ledger;
  random: Random;
  round: number;
  slowness: Slowness;
}

export interface Fault {
  name: string;
  /** Service it kills: its recovery is timed. */
  kills?: ServiceName;
  /** True where several processes end by it, or one several times. */
  restartsProcesses?: true;
  /** True where a reply of this round may remain undelivered, with its reason. */
  mayFailDelivery?: boolean;
  /** True where it reaches the model, so that the count of its calls says nothing. */
  reachesModel?: boolean;
  /** Messages that may be set aside at most, because whoever works on them dies: none otherwise. */
  setsAside?: number;
  /** Reason for which a round may go by without it: its step does not come by in time, or no disk can be mounted. */
  mayMiss?: 'step' | 'mount';
  /** Number of messages and the time for them; a few messages otherwise. */
  talk?: { count: number; withinMs: number };
  /** Happens while people talk. Resolves when it is over and undone, with whether it happened at all. */
  happen(context: FaultContext): Promise<boolean>;
  /** Checks, once all has settled, what it alone knows of. */
  check?(context: Pick<FaultContext, 'suite'>): Promise<Breach[]>;
}

/** Time a store stays away. */
export const AWAY_MS = [1_500, 4_000] as const;

export const away = ({ random }: FaultContext) => sleep(random.between(...AWAY_MS));
