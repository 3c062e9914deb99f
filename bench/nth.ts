import { present } from '@kith/contracts';

/** Takes the nth of a list that begins anew at its end. */
export function nth<T>(list: readonly T[], n: number): T {
  return present(list[n % list.length]);
}
