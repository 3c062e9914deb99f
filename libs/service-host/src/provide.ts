import type { Abstract, FactoryProvider, Type } from '@nestjs/common';

/** Token under which Nest keeps something that has no class, with the type of what it keeps. */
export type Token<T> = symbol & { readonly kept?: T };

type Key<T> = Type<T> | Abstract<T> | Token<T>;
type Kept<K> = K extends Token<infer T> ? T : K extends Abstract<infer T> | Type<infer T> ? T : never;
type KeptBy<From> = { -readonly [Name in keyof From]: Kept<From[Name]> };

/**
 * Tells Nest how to make one of its parts from others, whose types follow from their keys.
 * @param key class or token by which others ask for the part
 * @param from keys of what `make` is given, in its order
 */
export function provide<T, const From extends readonly Key<unknown>[]>(
  key: Key<T> | string,
  from: From,
  make: (...parts: KeptBy<From>) => T | Promise<T>,
): FactoryProvider<T> {
  return { provide: key, inject: [...from], useFactory: make };
}

/** Provides a class whose constructor takes these parts. */
export function provideClass<Parts extends unknown[]>(
  Class: new (...parts: Parts) => object,
  from: { [At in keyof Parts]: Key<Parts[At]> },
): FactoryProvider {
  return { provide: Class, inject: from, useFactory: (...parts: Parts) => new Class(...parts) };
}

/** Does the same as `provide` for a part that takes the others by name. */
export function provideFrom<T, const From extends Readonly<Record<string, Key<unknown>>>>(
  key: Key<T> | string,
  from: From,
  make: (parts: KeptBy<From>) => T | Promise<T>,
): FactoryProvider<T> {
  const names = Object.keys(from);
  return {
    provide: key,
    inject: Object.values(from),
    useFactory: (...parts: unknown[]) =>
      make(Object.fromEntries(names.map((name, at) => [name, parts[at]])) as KeptBy<From>),
  };
}
