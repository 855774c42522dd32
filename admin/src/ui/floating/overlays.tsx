/**
 * Where menus, lists and dialogs are drawn (`theme.ts`): inside of the main landmark, because what stands beside all
 * landmarks is skipped by people who go from one to the next. Every shell of screens has it once.
 */
export function Overlays() {
  return <div id="overlays" />;
}
