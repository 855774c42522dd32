import type { Load } from './loads.ts';

/**
 * What a script connects to or imports, as far as the address stands in it as text: `fetch("...")`, `new
 * WebSocket("...")`, `new EventSource("...")`, `sendBeacon("...")`, `import "..."`. An address that the script puts
 * together is not seen.
 */
export function loadsInScript(code: string): Load[] {
  const connects = [
    ...code.matchAll(/\b(?:fetch|WebSocket|EventSource|sendBeacon)\s*\(\s*(["'`])([^"'`\n]+?)\1/g),
  ];
  const imports = [...code.matchAll(/\b(?:from|import)\s{0,20}\(?\s{0,20}(["'])([^"'\n]+?)\1/g)];
  return [
    ...connects.map(([, , address = '']) => ({ directive: 'connect-src', address }) as const),
    ...imports.map(([, , address = '']) => ({ directive: 'script-src', address }) as const),
  ];
}
