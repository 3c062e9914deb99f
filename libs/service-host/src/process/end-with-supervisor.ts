/** Longest that the service may drain: its stores may be gone with the supervisor, and it would wait for them for ever. */
const DRAIN_MS = 10_000;

/**
 * Ends this process when its supervisor, which started it with a channel, is gone: a supervisor that was killed can end
 * no one, and the service would run on unseen. Does nothing in a process without a supervisor, such as a container's.
 */
export function endWithSupervisor(): void {
  if (!process.send) return;
  const end = () => {
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  };
  // It may be gone before this line is reached.
  if (!process.connected) return end();
  process.once('disconnect', end);
  // Listening would keep a process alive that has nothing else to do.
  process.channel?.unref();
}
