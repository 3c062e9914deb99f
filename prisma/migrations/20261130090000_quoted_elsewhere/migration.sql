-- Turns that quoted a message which had no line in their conversation: found when it is deleted or forgotten.
CREATE INDEX turns_quoted_elsewhere_idx ON turns USING gin ((trace -> 'view' -> 'quotedElsewhere'))
  WHERE trace -> 'view' -> 'quotedElsewhere' IS NOT NULL;
