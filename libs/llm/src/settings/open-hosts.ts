import type { ModelProvider } from '../provider.js';
import { catalogueOf } from './catalogue.js';
import type { HostName } from './model-families.js';
import { ModelSettings } from './model-settings.js';

/** A host that the settings give access to. */
export interface ModelHost {
  name: string;
  provider: ModelProvider;
  /** The name its default models are chosen under; null for a host whose models must be named. */
  defaultsOf: HostName | null;
}

/** Every host that is set up. */
export function openHosts(settings: ModelSettings): ModelHost[] {
  const parsed = ModelSettings.parse(settings);
  return catalogueOf(parsed).flatMap(({ name, needs, hasDefaults, open }): ModelHost[] => {
    const provider = needs === null ? null : open(parsed);
    return provider ? [{ name, provider, defaultsOf: hasDefaults ? (name as HostName) : null }] : [];
  });
}
