import type { FactoryProvider } from '@nestjs/common';

/** Key under which Nest keeps something, with the type of what it keeps. */
export type Token<T> = symbol & { readonly kept?: T };

/**
 * Provides what `make` makes of what is kept under another key.
 * @param key a string for those of Nest's own, such as `APP_GUARD`
 */
export function provide<T, From>(
  key: Token<T> | string,
  from: Token<From>,
  make: (kept: From) => T | Promise<T>,
): FactoryProvider<T> {
  return { provide: key, inject: [from], useFactory: make };
}
