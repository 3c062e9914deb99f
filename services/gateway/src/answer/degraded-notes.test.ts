import { expect, it, jest } from '@jest/globals';
import type { ModelRole } from '@kith/llm';
import type { DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import { noteModels } from './degraded-notes.js';

it('tells the operator which tools a host refuses', () => {
  const warn = jest.fn();
  const parts = {
    states: { leave: () => undefined } as unknown as DegradedStates,
    logger: { warn } as unknown as Logger,
  };
  const role = { status: () => [] } as unknown as ModelRole;
  const answered = { model: 'lab:one', kind: 'answered', tookMs: 9 } as const;
  noteModels(parts, role, { model: 'lab:one', tries: [answered] });
  expect(warn).not.toHaveBeenCalled();
  const refused = { model: 'lab:one', kind: 'invalid-request', tookMs: 9 } as const;
  noteModels(parts, role, { model: 'lab:one', tries: [{ ...refused, leftOut: ['pad__find'] }, answered] });
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ tools: ['pad__find'] }),
    expect.stringContaining('refuses tools'),
  );
});
