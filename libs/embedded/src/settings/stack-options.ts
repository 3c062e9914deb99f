import type { Ports } from './read-ports.js';
import type { Placement } from './services.js';

/** Folder, ports, secrets and settings of a suite. */
export interface StackOptions {
  /** The checkout, with its services built. */
  root: string;
  /** Folder for data, logs and sockets. */
  directory: string;
  ports: Ports;
  /** Placement: a process for each service, or one for all. */
  placement: Placement;
  secrets: { ownerPassword: string; appPassword: string; redisPassword: string; apiKey: string };
  /** Settings for the services, over what the stack itself sets. Each service gets those that it reads. */
  environment: Record<string, string>;
  /** Variables for every service's process that are no settings, such as Node's own. */
  processEnvironment?: Record<string, string>;
  /** False trades the stores' safety for speed: for tests alone. */
  durable: boolean;
  onProgress?: (line: string) => void;
  /** Aborted: the start is given up, and what it has started ends. */
  signal?: AbortSignal;
}
