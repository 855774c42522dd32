import pug from 'pug';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

/** A function compiled once, with locals under `self` as the documentation advises, without line tracking. */
export function openPug(sources: Sources): TemplateSet {
  const files = {
    resolve: (name: string) => name.replace(/\.pug$/, ''),
    read: (name: string) => sourceOf(sources, name),
  };
  return (name) =>
    pug.compile(sourceOf(sources, name), {
      filename: name,
      self: true,
      compileDebug: false,
      plugins: [files],
    });
}
