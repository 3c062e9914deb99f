import { spawn } from 'node:child_process';

/** Starts a redis-server that keeps nothing. Returns a function that ends it. */
export async function startRedis(port: number): Promise<() => void> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const words of child.stdout) if (String(words).includes('Ready to accept')) break;
  return () => child.kill();
}
