import type { Token } from '@kith/service-host';
import type { makeParts } from './make-parts.js';

/** All parts of the gateway, by name. */
export type Parts = ReturnType<typeof makeParts>;

/** Key under which controllers find them. */
export const PARTS: Token<Parts> = Symbol('PARTS');
