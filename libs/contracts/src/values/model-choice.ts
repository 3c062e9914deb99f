import { z } from 'zod';

/** Role of a language model in the suite: talk, or small jobs such as reading a mood. */
export const ModelRoleName = z.enum(['chat', 'fast']);
export type ModelRoleName = z.infer<typeof ModelRoleName>;

/** A host's model for a role, where the settings name none. */
export const ModelChoice = z.object({ host: z.string(), role: ModelRoleName, model: z.string() });
export type ModelChoice = z.infer<typeof ModelChoice>;

/** The broadcast channel on which the gateway tells the default models, as a list of `ModelChoice`. */
export const MODELS_CHANNEL = 'models';
