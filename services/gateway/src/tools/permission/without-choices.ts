/** Values that an argument may be chosen from. With more of them, the choice could tell what somebody said. */
const MAX_CHOICES = 20;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Leaves out of a call's arguments those whose value is one of a few that the tool's JSON schema lists, such as a unit or
 * a language: they say nothing of anybody. What lies in lists or deeper stays, as by many choices a word could be spelt.
 */
export function withoutChoices(given: JsonObject, schema: JsonObject): JsonObject {
  const { properties } = schema as { properties?: Record<string, { enum?: unknown } | undefined> };
  const isChoice = ([name, value]: [string, unknown]) => {
    const choices = properties && Object.hasOwn(properties, name) ? properties[name]?.enum : undefined;
    return Array.isArray(choices) && choices.length <= MAX_CHOICES && choices.includes(value);
  };
  return Object.fromEntries(Object.entries(given).filter((argument) => !isChoice(argument)));
}
