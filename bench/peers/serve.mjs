/**
 * Carries out what a parent process asks for, each under its own number, and says when it is done, or that a reply is
 * there. `usage` is answered for all.
 */
export function serve(work) {
  process.on('message', (message) => {
    const { number, verb, ...given } = message;
    if (verb === 'usage') {
      const { user, system } = process.cpuUsage();
      const megabytes = process.memoryUsage().rss / 2 ** 20;
      return process.send({ number, result: { cpuMs: (user + system) / 1_000, megabytes } });
    }
    const replied = () => process.send({ number, replied: true });
    work[verb](given, replied).then(
      (result) => process.send({ number, result: result ?? null }),
      (error) => process.send({ number, problem: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: true });
}
