import { wordSet } from '@kith/reading';

/**
 * Words of orders and claims of rights. No phrase that people brought about stands in a prompt with one of these: a joke, or
 * an opening of the companion's own, which two people can have it say.
 */
const ORDERS =
  wordSet(`ignore disregard forget obey pretend reveal instruction instructions prompt system admin operator owner rule rules
  must always never password secret override jailbreak developer assistant answer reply respond`);

/** @param word in lower case */
export function isOrderWord(word: string): boolean {
  return ORDERS.has(word);
}
