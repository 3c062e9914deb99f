import { AppError } from './app-error.js';

/**
 * A module that is loaded when it is first needed, and not by every process that might: `lazy('pictures', () =>
 * import('@resvg/resvg-js'))`. Who comes while it loads waits for the same loading.
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
