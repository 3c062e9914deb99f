-- What operators did is read with a scope of its own, so that the console may show it and do nothing else of theirs.
UPDATE "api_keys" SET "scopes" = array_append("scopes", 'audit')
  WHERE 'admin' = ANY ("scopes") AND NOT 'audit' = ANY ("scopes");
