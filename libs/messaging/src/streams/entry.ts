/** One message on a stream. Field names are short because each entry repeats them. */
export interface StreamMessage {
  /** The payload as JSON. */
  readonly json: string;
  readonly correlationId: string;
  /** A request's pattern: those of an owner share a stream. An event's is its stream. */
  readonly pattern?: string;
  /** A request's: where the answer goes, under which id, and for how long after it was sent it is of use. */
  readonly reply?: { readonly stream: string; readonly requestId: string; readonly timeoutMs: number };
  /** Only this group is meant: an event brought back from the dead letters of one service. */
  readonly onlyGroup?: string;
}

export function encodeMessage(message: StreamMessage): string[] {
  const fields = ['d', message.json, 'c', message.correlationId];
  if (message.pattern !== undefined) fields.push('p', message.pattern);
  if (message.reply) {
    const { stream, requestId, timeoutMs } = message.reply;
    fields.push('r', stream, 'i', requestId, 'x', String(timeoutMs));
  }
  if (message.onlyGroup !== undefined) fields.push('g', message.onlyGroup);
  return fields;
}

export function decodeMessage(fields: readonly string[]): StreamMessage {
  const byName = fieldsByName(fields);
  const { p: pattern, r: stream, i: requestId, x: timeoutMs, g: onlyGroup } = byName;
  return {
    json: byName['d'] ?? 'null',
    correlationId: byName['c'] ?? '',
    ...(pattern !== undefined && { pattern }),
    ...(stream !== undefined &&
      requestId !== undefined && { reply: { stream, requestId, timeoutMs: Number(timeoutMs ?? Infinity) } }),
    ...(onlyGroup !== undefined && { onlyGroup }),
  };
}

/** Redis lists fields flat: name, value, name, value. */
export function fieldsByName<Value>(fields: readonly Value[]): Record<string, Value> {
  const byName: Record<string, Value> = {};
  for (let at = 0; at + 1 < fields.length; at += 2) byName[String(fields[at])] = fields[at + 1] as Value;
  return byName;
}
