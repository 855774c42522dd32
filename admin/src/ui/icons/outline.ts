/** The outline in the SVG file of an icon of `@phosphor-icons/core`. */
export function outlineOf(svg: string): string {
  return /<path d="([^"]+)"/.exec(svg)?.[1] ?? '';
}
