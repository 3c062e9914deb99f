import { markResult } from './mark-result.js';
import type { NotedCall } from './permission/tool-call-records.js';

/** Characters that one outcome tells of a result: what it was, beside the talk that goes on. */
const MAX_TOLD = 800;

/** Words what became of a call that was put to its person, for the companion's next prompt. Pure. */
export function wordOutcome({ tool, status, result, expiresAt }: NotedCall, now: Date): string {
  const told = (words: string) =>
    markResult({ name: tool, reads: ['outside'], changes: 'outside' }, words.slice(0, MAX_TOLD));
  const isOver = status === 'expired' || (status === 'waiting' && (expiresAt === null || expiresAt <= now));
  if (isOver) return `- ${tool}: they did not answer in time, so it was not done.`;
  switch (status) {
    case 'waiting':
      return `- ${tool}: they have not answered yet, so it is not done.`;
    case 'declined':
      return `- ${tool}: they said no, so it was not done.`;
    case 'running':
      // A call begun by a process that died is never noted as ended.
      return `- ${tool}: they said yes. Its end is not known: it is still being done, or broke off and may have happened.`;
    case 'done':
      return `- ${tool}: they said yes, and it was done. ${result === null ? 'What it told is not known any more.' : `It told:\n${told(result)}`}`;
    case 'failed':
      return result === null
        ? `- ${tool}: they said yes. Its end is not known any more: it may have happened.`
        : `- ${tool}: they said yes. What came of it:\n${told(result)}`;
  }
}
