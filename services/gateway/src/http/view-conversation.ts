interface ConversationRow {
  id: string;
  companionId: string;
  door: string;
  externalId: string;
  kind: string;
  lastMessageAt: Date | null;
}

/** Shows a conversation as the API does. */
export function viewConversation(row: ConversationRow, personId: string) {
  return {
    id: row.id,
    companionId: row.companionId,
    door: row.door,
    name: row.externalId.startsWith(`${personId}.`)
      ? row.externalId.slice(personId.length + 1)
      : row.externalId,
    kind: row.kind === 'channel' ? ('channel' as const) : ('direct' as const),
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
  };
}
