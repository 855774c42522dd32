import pug from 'pug';
import { type Renderer, type Sources, sourceOf } from '../workload.ts';

/** A function compiled once, with locals under `self` as the documentation advises, and without line tracking. */
export function createPugRenderer(sources: Sources): Renderer {
  const files = {
    resolve: (name: string) => name.replace(/\.pug$/, ''),
    read: (name: string) => sourceOf(sources, name),
  };
  return pug.compile(sources.main, {
    filename: 'main',
    self: true,
    compileDebug: false,
    plugins: [files],
  });
}
