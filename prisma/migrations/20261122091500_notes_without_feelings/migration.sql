-- A companion's note goes into everybody's prompts: what was felt with somebody is taken out of those there are.
UPDATE "self_notes" SET "text" = regexp_replace("text", 'What stayed: [^.]*\. ', '');
