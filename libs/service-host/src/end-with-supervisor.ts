/** A service drains what it has in work; one whose stores went with the supervisor would wait for them for ever. */
const DRAIN_MS = 10_000;

/**
 * Ends this process when the one that started it over a channel is gone: a supervisor that is killed can end nobody, and
 * a service that it had not even put on record would run on unseen. Does nothing for a process that nobody watches over,
 * such as a container's.
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
