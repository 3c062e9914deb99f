-- These were kept as they were given, and the machine has its own reading of them: by it BST is Bangladesh.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE outreach_settings SET time_zone = CASE upper(time_zone)
      WHEN 'AST' THEN 'America/Halifax' WHEN 'NST' THEN 'America/St_Johns' WHEN 'EST' THEN 'America/New_York'
      WHEN 'CST' THEN 'America/Chicago' WHEN 'MST' THEN 'America/Denver' WHEN 'PST' THEN 'America/Los_Angeles'
      WHEN 'BST' THEN 'Europe/London' WHEN 'IST' THEN 'Asia/Kolkata' WHEN 'JST' THEN 'Asia/Tokyo'
      ELSE time_zone END
    WHERE upper(time_zone) IN ('AST', 'NST', 'EST', 'CST', 'MST', 'PST', 'BST', 'IST', 'JST');
END
$$;
