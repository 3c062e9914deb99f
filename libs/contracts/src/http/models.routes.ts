import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { ModelRoleName } from '../values/model-choice.js';
import { get, post, type Routes } from './route.js';

/** US dollars for a million tokens. */
const Price = z.object({ input: z.number(), output: z.number() });

/** A model as its host lists it; null where the host does not say. */
const OfferedModelView = z.object({
  id: z.string(),
  /** The announced day of its end. */
  retiresOn: z.string().nullable(),
  contextTokens: z.number().nullable(),
  price: Price.nullable(),
});

const RoleModelView = z.object({
  /** As `host:model`; `rehearsal` is the offline stand-in. */
  model: z.string(),
  /** False: chosen by default, since the settings name none. */
  isNamed: z.boolean(),
  chosenAt: IsoTime.nullable(),
  /** The default before it, which the host no longer serves. */
  replaced: z.string().nullable(),
  retiresOn: z.string().nullable(),
  price: Price.nullable(),
  /** Failure of its last try; null when it worked. */
  problem: z.string().nullable(),
});

/** Models by role and by host. */
export const ModelsView = z.object({
  roles: z.array(z.object({ role: ModelRoleName, models: z.array(RoleModelView) })),
  hosts: z.array(
    z.object({
      name: z.string(),
      /** Reason why its list could not be read; null when it was. */
      problem: z.string().nullable(),
      models: z.array(OfferedModelView),
    }),
  ),
  /** Sentences for the operator: what was chosen anew, which named model its host does not serve. */
  notes: z.array(z.string()),
});
export type ModelsView = z.infer<typeof ModelsView>;

export const ModelTestRequest = z
  .strictObject({
    role: z.enum(['chat', 'fast', 'embedding']).default('chat'),
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('only this one of the role’s models, as `host:model`'),
  })
  .refine(({ role, model }) => role !== 'embedding' || model === undefined, {
    path: ['model'],
    message: 'embedding asks one model alone: leave this out',
  });

export const ModelTestView = z.object({
  tests: z.array(
    z.object({
      model: z.string(),
      checks: z.array(
        z.object({
          ability: z.enum(['stream', 'json', 'tool-call', 'embedding']),
          problem: z.string().nullable(),
          firstTokenMs: z.number().nullable(),
          tookMs: z.number(),
        }),
      ),
      promptTokens: z.number(),
      completionTokens: z.number(),
      price: Price.nullable(),
      /** US dollars that the test cost; null when the price is not known. */
      costUsd: z.number().nullable(),
    }),
  ),
});
export type ModelTestView = z.infer<typeof ModelTestView>;

export const modelRoutes = {
  list: get('/v1/models', 'admin', {
    summary: 'Models that are asked, what their hosts offer, and what an operator should know of them',
    answer: ModelsView,
  }),
  test: post('/v1/models/test', 'admin', {
    summary:
      'Send a role’s models three small requests: do they stream, write JSON, call a tool? Costs some tokens',
    body: ModelTestRequest,
    // Three abilities of a model take 30 s each at worst, and a role has several models; fetch itself ends at 300 s.
    takesUpToMs: 290_000,
    answer: ModelTestView,
    errors: ['not_found'],
  }),
} satisfies Routes;
