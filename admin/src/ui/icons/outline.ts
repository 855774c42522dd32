/** The outline in the SVG file of an icon of `@phosphor-icons/core`. */
export function extractOutline(svg: string): string {
  return /<path d="([^"]+)"/.exec(svg)?.[1] ?? '';
}
