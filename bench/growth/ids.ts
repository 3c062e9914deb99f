/** The id of a person by number, as SQL: in the order of their coming, as life would give it. */
export const personId = (n: string) => `('01800000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** The id of their conversation, likewise. */
export const conversationId = (n: string) =>
  `('01800000-0000-7000-9000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** The id of a person by number, as text. */
export function idOfPerson(n: number): string {
  return `01800000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}
