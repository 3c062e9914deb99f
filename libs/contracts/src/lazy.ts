import { AppError } from './errors/app-error.js';

/**
 * Loads a module when it is first needed: `lazy('pictures', () => import('@resvg/resvg-js'))`. Calls during the load
 * share it.
 * @param feature what can't be done without it, for the error's words
 * @returns a function that gives the module, or throws `unavailable` with what is wrong with its package
 */
export function lazy<M>(feature: string, load: () => Promise<M>): () => Promise<M> {
  let loading: Promise<M> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
      throw new AppError('unavailable', `${feature} can't be loaded: ${why}`, undefined, { cause });
    }));
}
