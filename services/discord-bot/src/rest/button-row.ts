import {
  ComponentType,
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
} from 'discord-api-types/v10';

/** Row of buttons under a message. */
export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** Makes a row of these buttons. */
export function buttonRow(...buttons: Omit<APIButtonComponentWithCustomId, 'type'>[]): ButtonRow {
  const components = buttons.map((button) => ({ type: ComponentType.Button as const, ...button }));
  return { type: ComponentType.ActionRow, components };
}
