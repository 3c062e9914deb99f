/** Copies plain data and freezes the copy all the way down: whoever gets it can change nothing of ours. */
export function frozenCopy<T>(value: T): T {
  return freeze(structuredClone(value));
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
