import { startWork } from '@/lib/background-work'
import type { Deps } from '@/lib/deps'
import { buildIndexes } from './build-indexes'

// A stop cancels the statement; the next start drops what is left of it and begins again.
const BUILDING = { name: 'indexes', run: buildIndexes, failed: 'indexes were not built' }

/** Builds and drops indexes in the background until they are as they should be. What fails is done when this is called again. */
export const startBuilding = (deps: Deps): Promise<void> => startWork(deps, BUILDING)
