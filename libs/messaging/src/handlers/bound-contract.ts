import 'reflect-metadata';
import type { EventContract, JobContract, RequestContract } from '@kith/contracts';

export type AnyContract = RequestContract | EventContract | JobContract;

const CONTRACT = Symbol('kith.contract');

/** Notes which contract a method was bound to. */
export function bindContract(method: object, contract: AnyContract): void {
  Reflect.defineMetadata(CONTRACT, contract, method);
}

/** The methods of a class, inherited ones too, that are bound to a contract. */
export function boundMethods(type: {
  readonly prototype: object;
}): { readonly method: string; readonly contract: AnyContract }[] {
  const found = new Map<string, AnyContract>();
  for (
    let proto: object | null = type.prototype;
    proto && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto) as object | null
  ) {
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (typeof value !== 'function' || found.has(method)) continue;
      const contract = Reflect.getMetadata(CONTRACT, value as object) as AnyContract | undefined;
      if (contract) found.set(method, contract);
    }
  }
  return [...found].map(([method, contract]) => ({ method, contract }));
}
