export async function measureHostile(): Promise<unknown> {
  return undefined;
}
export function hostileTable(_result: unknown): string {
  return '';
}
