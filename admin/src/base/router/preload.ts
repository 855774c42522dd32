/** Loads the code of a screen ahead of its use. The router sets what it does, because screens use links. */
let load: (path: string) => void = () => {};

export function setPreload(loader: (path: string) => void): void {
  load = loader;
}

export function preload(path: string): void {
  load(path);
}
