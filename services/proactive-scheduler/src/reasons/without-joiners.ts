import { trimEndOf } from '@kith/reading';

const JOINER = /\b(?:and|then|but|also|or|so|please|can you|could you)$/i;
/** "could you", and enough before it to see where its word begins. */
const JOINER_WITHIN = 12;

/** Removes joining words and these marks from the end of a text: "… and please", left over before the next request. */
export function withoutJoiners(text: string, marks: string): string {
  let rest = trimEndOf(text, marks);
  const joinerOf = () => JOINER.exec(rest.slice(-JOINER_WITHIN));
  for (let joiner = joinerOf(); joiner; joiner = joinerOf()) {
    rest = trimEndOf(rest.slice(0, -joiner[0].length), marks);
  }
  return rest;
}
