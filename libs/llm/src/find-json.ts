/** The JSON in a model's answer: the whole, or what stands in a code fence or between other words. */
export function findJson(text: string): unknown {
  const [, inFence, afterFence] = text.split('```', 3);
  const fenced = afterFence === undefined ? undefined : inFence?.replace(/^json/i, '');
  const outer = text.slice(text.search(/[[{]/), Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1);
  for (const candidate of [text, fenced, outer]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may do.
    }
  }
  return undefined;
}
