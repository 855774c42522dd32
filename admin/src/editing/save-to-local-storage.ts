/**
 * What is kept while a window closes. The database of the browser answers later, and then nobody is there any
 * more; this storage is written at once, but is small.
 */
const prefix = 'ic-last-moment/';

/** Keeps a value that JSON can hold. Without room for it nothing is kept. */
export function saveToLocalStorage(name: string, value: object): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden; the database may still be in time.
  }
}

/** Everything that is kept, with its names. */
export function takeKept<Value>(): [string, Value][] {
  return (
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith(prefix))
      // Type boundary: only `saveToLocalStorage` writes these names.
      .map(([key, json]) => [key.slice(prefix.length), JSON.parse(json) as Value])
  );
}

export function removeKept(name: string): void {
  localStorage.removeItem(prefix + name);
}
