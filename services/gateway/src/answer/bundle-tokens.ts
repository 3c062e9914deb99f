/** Time for which tokens after the first are bundled: a fast model does not become a thousand broadcasts. */
const BUNDLE_MS = 25;

/** Bundles tokens on their way to whoever listens. */
export function bundleTokens(send: (text: string) => void) {
  let waiting = '';
  let lastSent = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (!waiting) return;
    send(waiting);
    waiting = '';
    lastSent = performance.now();
  };
  return {
    add(text: string) {
      waiting += text;
      if (performance.now() - lastSent >= BUNDLE_MS) flush();
    },
    flush,
    drop() {
      waiting = '';
    },
  };
}
