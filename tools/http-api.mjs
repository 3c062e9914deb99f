// Writes docs/http-api.md from the routes in libs/contracts/src/http; a test holds it to them.   usage: node tools/http-api.mjs
import { writeFileSync } from 'node:fs';
import * as contracts from '@kith/contracts';

const NAMES = new Map(Object.entries(contracts).map(([name, value]) => [value, `\`${name}\``]));
const SCOPES = { 'any-key': 'any key', 'no-key': 'none' };

export function httpApiPage() {
  const lines = [
    '# The HTTP API',
    '',
    '_Written by `node tools/http-api.mjs` from the declarations in [`libs/contracts/src/http`](../libs/contracts/src/http). Do not edit._',
    '',
    'Each route needs a key with the scope beside it, as `Authorization: Bearer kth_…`. What a route takes and answers is named by its schema in `@kith/contracts`; the page `/docs` of a running suite shows them whole, and `/docs/openapi.json` is the same for programs. Errors are RFC 9457 problem details (`Problem`).',
  ];
  for (const [group, routes] of Object.entries(contracts.ROUTE_GROUPS)) {
    lines.push('', `## ${group}`, '', '| Route | Key | Takes → answers | |', '|---|---|---|---|');
    for (const route of Object.values(routes)) {
      const { method, path, scope, summary, query, body, answer, events } = route;
      const search = query ? `?${Object.keys(query.shape).join('&')}` : '';
      const answers = [
        ...(answer ? [nameOf(answer)] : []),
        ...(events ? [`events (${nameOf(events)})`] : []),
      ];
      const shapes = [...(body ? [nameOf(body)] : []), answers.join(' or ') || 'nothing'].join(' → ');
      lines.push(
        `| \`${method} ${path}${search}\` | ${SCOPES[scope] ?? `\`${scope}\``} | ${shapes} | ${summary} |`,
      );
    }
  }
  const { path, summary, client, server } = contracts.chatSocket;
  lines.push(
    '',
    '## WebSocket',
    '',
    `\`${path}\`: ${summary}. Frames are ${nameOf(client)} and ${nameOf(server)}.`,
  );
  return `${lines.join('\n')}\n`;
}

function nameOf(schema) {
  if (typeof schema === 'string') return `\`${schema}\``;
  if (schema.options && !NAMES.has(schema)) return schema.options.map(nameOf).join(' or ');
  return NAMES.get(schema) ?? 'JSON';
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../docs/http-api.md', import.meta.url), httpApiPage());
}
