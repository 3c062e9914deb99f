import { z } from 'zod';
import { checkBase64 } from './call-checks.js';
import { requestMessage, require400, type RequestMessage } from './scripted-api.js';

/** Word with which Google lets calls of other models through. */
const UNSIGNED = 'skip_thought_signature_validator';

const Part = z
  .strictObject({
    text: z.string().optional(),
    inlineData: z.strictObject({ mimeType: z.string().startsWith('image/'), data: z.string() }).optional(),
    functionCall: z
      .strictObject({
        id: z.string().optional(),
        name: z.string().min(1),
        args: z.looseObject({}).optional(),
      })
      .optional(),
    functionResponse: z
      .strictObject({ id: z.string().optional(), name: z.string().min(1), response: z.looseObject({}) })
      .optional(),
    thoughtSignature: z.string().optional(),
  })
  .refine((part) => Object.keys(part).some((key) => key !== 'thoughtSignature'), 'required oneof field');
const Content = z.strictObject({
  role: z.enum(['user', 'model']).default('user'),
  parts: z.array(Part).min(1),
});
const Body = z.strictObject({
  systemInstruction: z.strictObject({ role: z.string().optional(), parts: z.array(Part).min(1) }).optional(),
  contents: z.array(Content).min(1),
  tools: z
    .array(z.strictObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) }))
    .optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.int().positive().optional(),
      temperature: z.number().min(0).max(2).optional(),
      thinkingConfig: z.strictObject({ thinkingLevel: z.enum(['LOW', 'HIGH']) }).optional(),
      responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
    })
    .optional(),
});
type Turn = z.output<typeof Content>;

/** Reads the body of `generateContent` by Google's rules. */
export function readGeminiBody(body: unknown, model: string): RequestMessage[] {
  const { systemInstruction, contents } = Body.parse(body);
  require400(contents[0]?.role === 'user', 'Please ensure that multiturn requests start with a user turn.');
  for (const [at, turn] of contents.entries()) checkTurn(turn, contents[at - 1], contents[at + 1]);
  if (/^gemini-(?![12])/.test(model)) checkSignatures(contents);
  const system = systemInstruction
    ? [requestMessage('system', systemInstruction.parts.map(({ text = '' }) => text).join('\n'))]
    : [];
  return [...system, ...contents.flatMap(hear)];
}

function checkTurn({ role, parts }: Turn, before: Turn | undefined, after: Turn | undefined): void {
  require400(before?.role !== role, 'Please ensure that roles alternate.');
  for (const { inlineData } of parts) if (inlineData) checkBase64(inlineData.data);
  const calls = parts.filter(({ functionCall }) => functionCall).length;
  if (calls > 0) {
    const responses = after?.parts.filter(({ functionResponse }) => functionResponse).length ?? 0;
    require400(
      responses === calls,
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
  const answers = parts.some(({ functionResponse }) => functionResponse);
  const called = before?.parts.some(({ functionCall }) => functionCall);
  require400(
    !answers || called,
    'Please ensure that function response turn comes immediately after a function call turn.',
  );
}

/** The first call of each step of the running turn carries its signature. */
function checkSignatures(contents: readonly Turn[]): void {
  const said = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.every(({ functionResponse }) => !functionResponse),
  );
  for (const { parts } of contents.slice(said + 1)) {
    const first = parts.find(({ functionCall }) => functionCall);
    if (!first) continue;
    const isSigned = first.thoughtSignature === UNSIGNED || first.thoughtSignature?.startsWith('sig-');
    require400(
      isSigned,
      `Function call is missing a thought_signature in functionCall parts: ${first.functionCall?.name}`,
    );
  }
}

function hear({ role, parts }: Turn): RequestMessage[] {
  const results = parts.flatMap(({ functionResponse }) =>
    functionResponse ? [requestMessage('tool', String(functionResponse.response['output']))] : [],
  );
  const text = parts.flatMap(({ text: words }) => (words === undefined ? [] : [words])).join('\n');
  const images = parts.flatMap(({ inlineData }) => (inlineData ? [inlineData.mimeType] : []));
  const calls = parts.flatMap(({ functionCall }) =>
    functionCall ? [{ name: functionCall.name, arguments: functionCall.args ?? {} }] : [],
  );
  const who = role === 'model' ? 'assistant' : 'user';
  const said =
    text || images.length > 0 || calls.length > 0 ? [requestMessage(who, text, { images, calls })] : [];
  return [...results, ...said];
}
