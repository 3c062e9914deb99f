import { Stack } from '@kith/embedded';

// A supervisor as ./scripts/up has it, in a directory of a test: node start-suite.ts OPTIONS-AS-JSON
const asked = new AbortController();
process.on('SIGTERM', () => asked.abort());
try {
  const stack = await Stack.start({
    ...(JSON.parse(process.argv[2]!) as Parameters<typeof Stack.start>[0]),
    signal: asked.signal,
    onProgress: (line) => console.log(line),
  });
  console.log('the suite is ready');
  if (!asked.signal.aborted) await new Promise((resolve) => asked.signal.addEventListener('abort', resolve));
  await stack.stop();
} catch (error) {
  console.log((error as Error).message);
}
process.exit();
