/** What draws menus and tooltips: a file of its own, which the first screen does not wait for (`load.ts`). */
export { Menu, Tooltip } from '@mantine/core';
