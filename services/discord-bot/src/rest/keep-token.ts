import type { REST } from 'discord.js';

/**
 * Lets a REST client keep its token. discord.js drops it at the first answer 401, which Discord also gives in passing: from
 * then on nothing would be sent until the next start. A token that is refused for good ends the connection, and
 * `InvalidRequests` bounds what is sent with it.
 */
export function keepToken(rest: REST): void {
  const set = rest.setToken.bind(rest);
  let token = '';
  rest.setToken = (next: string | null) => {
    token = next ?? token;
    return set(token);
  };
}
