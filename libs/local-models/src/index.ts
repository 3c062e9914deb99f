export { CATALOGUE } from './catalogue.js';
export type { ModelDescription } from './model-description.js';
export { DEFAULT_MODELS_DIRECTORY, openModelFolder, type ModelFolder } from './model-folder.js';
export { DEFAULT_HUB, PullFailure, pullModel, type PullProgress } from './pull-model.js';
