import type { Abstract, FactoryProvider, Type, ValueProvider } from '@nestjs/common';

/** Token under which Nest keeps something that has no class, with the type of what it keeps. */
export type Token<T> = symbol & { readonly kept?: T };

type Key<T> = Type<T> | Abstract<T> | Token<T>;
/** Keys of parts, in an order. */
export type Keys = readonly Key<unknown>[];
/** Keys of parts by name. */
export type NamedKeys = Readonly<Record<string, Key<unknown>>>;
type TokenValue<K> = K extends Token<infer T> ? T : K extends Abstract<infer T> | Type<infer T> ? T : never;
type KeptBy<From> = { -readonly [Name in keyof From]: TokenValue<From[Name]> };
/** Parameters of what makes something of the parts under these keys. */
export type MadeFrom<From extends Keys | NamedKeys> = From extends Keys ? KeptBy<From> : [KeptBy<From>];

/** Provides a part that is made already, under its own class or under another key. */
export function value(part: object): ValueProvider;
export function value<T>(part: T, key: Key<T>): ValueProvider<T>;
export function value(part: unknown, key: Key<unknown> = (part as { constructor: Type }).constructor) {
  return { provide: key, useValue: part };
}

type KeysOf<Parts> = { readonly [At in keyof Parts]: Key<Parts[At]> };

/**
 * Provides a class whose constructor takes these parts.
 * @param from keys of the parts: a list in their order, or an object where the constructor takes them by name
 * @param key what others ask for instead of the class
 */
export function provideClass<Parts extends unknown[]>(
  Class: new (...parts: Parts) => object,
  from: KeysOf<Parts> | (Parts extends [infer Named] ? KeysOf<Named> : never),
  key: Key<unknown> | string = Class,
): FactoryProvider {
  const make = makeFrom(from as Keys, (...parts) => new Class(...(parts as Parts)));
  return { provide: key, inject: Object.values(from), useFactory: make };
}

/**
 * Provides what `make` makes of other parts and of the settings it closes over.
 * @param from keys of what `make` is given: a list in its order, or an object by name
 */
export function provide<T, const From extends Keys | NamedKeys>(
  key: Key<T> | string,
  from: From,
  make: (...parts: MadeFrom<From>) => T | Promise<T>,
): FactoryProvider<T> {
  return { provide: key, inject: Object.values(from), useFactory: makeFrom(from, make) };
}

/** Makes `make` take its parts in the order of their keys. */
export function makeFrom<T, const From extends Keys | NamedKeys>(
  from: From,
  make: (...parts: MadeFrom<From>) => T,
): (...parts: unknown[]) => T {
  const makeOf = make as (...parts: unknown[]) => T;
  if (Array.isArray(from)) return makeOf;
  return (...parts) => makeOf(Object.fromEntries(Object.keys(from).map((name, at) => [name, parts[at]])));
}
