import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOGUE } from './catalogue.js';
import { ModelDescription } from './model-description.js';

/** Folder of models, from the checkout's folder on. */
export const DEFAULT_MODELS_DIRECTORY = '.kith/models';
/** A model's name, which is its folder's: no path leads out of the models' folder. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const DESCRIPTION_FILE = 'kith-model.json';
/** Places of the encoder: as it is pulled, or in a folder that was copied from a hub as it is there. */
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
  if (!MODEL_NAME.test(name)) throw new Error(`"${name}" is no name of a local model`);
  const folder = join(directory, name);
  const found = await Promise.all(
    MODEL_FILES.map((file) => {
      const path = join(folder, file);
      return access(path).then(
        () => path,
        () => null,
      );
    }),
  );
  const modelFile = found.find((path) => path !== null);
  const tokenizerFile = join(folder, TOKENIZER_FILE);
  const hasTokenizer = await access(tokenizerFile).then(
    () => true,
    () => false,
  );
  if (!modelFile || !hasTokenizer) throw new Error(describeMissing(name, folder, modelFile !== undefined));
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
  const pull = name in CATALOGUE ? `run "kith models pull ${name}", or ` : '';
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
    throw new Error(`${file} is no JSON`, { cause });
  }
  const parsed = ModelDescription.safeParse(content);
  if (!parsed.success) {
    const [first] = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`${file}: ${first}`);
  }
  return parsed.data;
}
