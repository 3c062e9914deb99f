import { Persona, problemsWith, takeLore } from '@kith/characters';
import { AppError } from '@kith/contracts';

/**
 * Parses a persona from outside. Lore that an exported file has beside it is left out.
 * @param id of the companion that gets this persona; left out for a new one
 * @throws AppError `invalid_request` that names each field and what is wrong with it
 */
export function parsePersona(json: unknown, id?: string): Persona {
  const reading = Persona.safeParse(takeLore(json).persona);
  const errors = reading.success ? [] : problemsWith(reading.error);
  if (reading.success && id !== undefined && reading.data.id !== id)
    errors.push({
      field: 'id',
      message: `must stay ${id}: a new companion is created or has a file of its own`,
    });
  if (reading.success && errors.length === 0) return reading.data;
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new AppError('invalid_request', detail, { errors });
}
