import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOGUE, ModelDescription } from './catalogue.js';

/** Folder of models, from the checkout's folder on. */
export const DEFAULT_MODELS_DIRECTORY = '.kith/models';
/** Name of a model and of its folder: no path leads out of the models' folder. */
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const DESCRIPTION_FILE = 'kith-model.json';
/** Paths of the encoder: where it is pulled to, and where it is in a folder that was copied from a hub. */
const MODEL_FILES = ['model.onnx', 'onnx/model_quantized.onnx', 'onnx/model.onnx'];
const TOKENIZER_FILE = 'tokenizer.json';

/** An encoder that is there to be loaded. */
export interface ModelFolder {
  name: string;
  modelFile: string;
  tokenizerFile: string;
  /** May be absent. */
  tokenizerConfigFile: string;
  description: ModelDescription;
}

/**
 * Finds a model's files.
 * @throws Error that says what is missing and what to do
 */
export async function openModelFolder(directory: string, name: string): Promise<ModelFolder> {
  if (!MODEL_NAME.test(name)) throw new Error(`"${name}" is not the name of a local model`);
  const folder = join(directory, name);
  const modelFile = MODEL_FILES.map((file) => join(folder, file)).find((path) => existsSync(path));
  const tokenizerFile = join(folder, TOKENIZER_FILE);
  if (modelFile === undefined || !existsSync(tokenizerFile))
    throw new Error(describeMissing(name, folder, modelFile !== undefined));
  return {
    name,
    modelFile,
    tokenizerFile,
    tokenizerConfigFile: join(folder, 'tokenizer_config.json'),
    description: await describe(name, join(folder, DESCRIPTION_FILE)),
  };
}

function describeMissing(name: string, folder: string, hasModel: boolean): string {
  const missing = hasModel ? TOKENIZER_FILE : MODEL_FILES[0];
  const pull = Object.hasOwn(CATALOGUE, name) ? `run "kith models pull ${name}", or ` : '';
  return `the local model ${name} lacks ${missing}: ${pull}copy its ${MODEL_FILES[0]} and ${TOKENIZER_FILE} to ${folder}`;
}

async function describe(name: string, file: string): Promise<ModelDescription> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) {
    const known = CATALOGUE[name]?.description;
    if (known) return known;
    throw new Error(`the local model ${name} is not a known one: describe it in ${file}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON`, { cause });
  }
  const parsed = ModelDescription.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${file}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return parsed.data;
}
