// Preloaded into services (node --import): a text with KITH_DEADLY_WORD in it ends the process that has it read in its
// thread for rules, as a fault of the engine would. Nothing that runs in the process could end such a reading.
import { Worker } from 'node:worker_threads';

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  if (JSON.stringify(message)?.includes(process.env.KITH_DEADLY_WORD)) process.kill(process.pid, 'SIGKILL');
  return postMessage.call(this, message, ...rest);
};
