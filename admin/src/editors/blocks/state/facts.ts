import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { blockTypesQuery } from '../../../content/block-types.ts';
import { globalBlocks } from '../../../content/global-blocks.ts';
import type { BlockFacts } from '../model/rules.ts';

/** What the rules of block trees ask about; undefined until it is known. */
export function useBlockFacts(ownGlobal?: number): BlockFacts | undefined {
  const { data: types } = useQuery(blockTypesQuery);
  const { data: globals } = globalBlocks.useList();
  return useMemo(() => {
    if (types === undefined || globals === undefined) return undefined;
    return {
      types: new Map(types.map((type) => [type.name, type])),
      globals: new Map(globals.map((global) => [global.id, global])),
      ownGlobal,
    };
  }, [types, globals, ownGlobal]);
}
