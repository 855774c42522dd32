import { maxPathLength } from '../../../runtime/page/address.ts';

/**
 * The name of a page or file: the requested path, decoded so that it reads like the path of the page. What would be
 * ambiguous or invisible stays encoded.
 */
export function nameOfPath(path: string): string {
  const decoded = path.toWellFormed().replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run).replaceAll(/[%?#\p{Cc}\p{Zs}]/gu, encodeURIComponent);
    } catch {
      return run;
    }
  });
  return decoded.slice(0, maxPathLength).toWellFormed();
}
