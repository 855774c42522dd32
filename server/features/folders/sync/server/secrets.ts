/** Values of headers that only the server has. In a folder a placeholder stands for them. */
import { isFields } from '../../format/text-file.ts';
import type { Json } from './api-client.ts';

const placeholder = /^\{(?:env\.)?[A-Za-z_][A-Za-z0-9_]*\}$/;

/** The headers of a source, in which every value that is no placeholder is one. */
export function hideSecrets(source: Json, warn: (message: string) => void): Json {
  const headers = isFields(source['headers']) ? source['headers'] : {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (placeholder.test(String(value))) return [name, value];
      const variable = toVariable(String(source['slug']), name);
      warn(`The header ${name} stays on the server; the folder has {env.${variable}} for it.`);
      return [name, `{env.${variable}}`];
    }),
  );
}

/** The headers to send: a placeholder that stands for the value of the server is that value again. */
export function revealSecrets(headers: Json, source: Json | undefined): Json {
  if (source === undefined) return headers;
  const stored = isFields(source['headers']) ? source['headers'] : {};
  const hidden = hideSecrets(source, () => undefined);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === hidden[name] ? stored[name] : value]),
  );
}

function toVariable(slug: string, header: string): string {
  return `${slug}_${header}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}
