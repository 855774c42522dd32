import { useSearch } from '@tanstack/react-router';

/** Whether the address asks for the versions of the object, beside the object itself. */
export function useAreVersionsAsked(): boolean {
  const search: { readonly versions?: unknown } = useSearch({ strict: false });
  return String(search.versions) === '1';
}
