import { ALL_ROUTES } from '@kith/contracts';

const ROUTES = ALL_ROUTES.map(({ method, path }) => ({ method, parts: partsOf(path) }));

/** Lists the methods of the routes at a path, as the header Allow names them; empty where there is none. */
export function methodsAt(path: string): string[] {
  const asked = partsOf(path);
  const matches = ROUTES.filter(
    ({ parts }) =>
      parts.length === asked.length &&
      parts.every((part, n) => (part.startsWith('{') ? asked[n] !== '' : part === asked[n])),
  );
  const methods = matches.map(({ method }) => method);
  // Express answers HEAD where there is a GET.
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])))];
}

/** Splits a path as Express compares it: in any case, and with a slash at its end or without. */
function partsOf(path: string): string[] {
  return path.replace(/\/$/, '').toLowerCase().split('/');
}
