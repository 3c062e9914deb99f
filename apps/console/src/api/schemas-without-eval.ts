import { z } from 'zod';

// Compiled schemas are built by evaluating text, which a strict content security policy forbids. Schemas
// decide this when they are made, so this module is imported before any other.
z.config({ jitless: true });
