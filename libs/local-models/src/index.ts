export { CATALOGUE, type ModelDescription } from './catalogue.js';
export { DEFAULT_MODELS_DIRECTORY, openModelFolder, type ModelFolder } from './model-folder.js';
export { DEFAULT_HUB, PullFailure, pullModel, type PullProgress } from './pull-model.js';
