import { RouteClient, type CallFailure, type Problem } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';

/** No answer, or one that broke off. An accepted message is safe: the same id asks for its reply again. */
export class ConnectionLost extends CliError {}

/** A part of Kith is down that the rest may do without. */
export class PartDown extends CliError {}

/** Longer than any route takes but a chat, which is followed for as long as it lasts. */
const TIMEOUT_MS = 30_000;

/** Makes a client of the suite's public API. Everything it throws is a `CliError` that says what to do. */
export function openApi(url: string, key: string | undefined): RouteClient {
  const explain = (failure: CallFailure) => explainFailure(failure, url, key !== undefined);
  return new RouteClient({ address: url, key, timeoutMs: TIMEOUT_MS, explain });
}

function explainFailure(failure: CallFailure, url: string, hasKey: boolean): CliError {
  switch (failure.kind) {
    case 'unreachable':
      if (!URL.canParse(url))
        return new CliError(
          `"${url}" is not a valid address: set KITH_URL or --url to one such as http://127.0.0.1:3000`,
          2,
        );
      return new ConnectionLost(
        `nothing answers at ${url}: start Kith with ./scripts/up, or set KITH_URL`,
        1,
        failure,
      );
    case 'broken-off':
      return new ConnectionLost('the connection broke off before the reply', 1, failure);
    case 'not-understood':
      return new CliError(
        `what ${url} answers is not what this kith understands: check KITH_URL, and build again (npm run build)`,
        1,
        failure,
      );
    case 'refused': {
      const { status, problem } = failure;
      if (!problem) return new CliError(`${url} answered ${status} and is not Kith: check KITH_URL or --url`);
      const message = explainProblem(problem, hasKey);
      return problem.code === 'unavailable' ? new PartDown(message) : new CliError(message);
    }
  }
}

function explainProblem({ code, detail, errors, correlationId }: Problem, hasKey: boolean): string {
  switch (code) {
    case 'unauthorized':
      return hasKey
        ? `the key was refused (${detail}): set KITH_KEY or --key to a valid one; where none is left, empty KITH_KEY in .env and restart, which makes one`
        : 'no key is set: run ./scripts/up, which writes KITH_KEY to .env, or give --key';
    case 'forbidden':
      return errors?.some(({ field }) => field === 'scope')
        ? `${detail}: use a key that has it (kith keys create --scope …)`
        : detail;
    case 'unavailable':
      return `${detail} (kith doctor shows what is down)`;
    case 'internal':
      return `something went wrong in Kith: look for ${correlationId ?? 'the error'} in ./scripts/logs`;
    default: {
      const untold = errors?.filter(({ message }) => !detail.includes(message)) ?? [];
      const fields = untold.map(({ field, message }) => `${field}: ${message}`).join('; ');
      return fields ? `${detail} (${fields})` : detail;
    }
  }
}
