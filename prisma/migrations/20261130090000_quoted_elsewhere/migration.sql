-- Turns that quoted a message which had no line in their conversation: found when it is deleted or forgotten. By the
-- conversation, as row-level security lets no index answer what a text in the trace is.
CREATE INDEX turns_quoted_elsewhere_idx ON turns (conversation_id)
  WHERE trace -> 'view' -> 'quotedElsewhere' IS NOT NULL;
