import 'server-only'
import { messageOf } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import { settleDueObjects } from './settle-object'

let running: Promise<void> | null = null

/**
 * Begins to clear what uploads left behind, half-written files and objects that no image names,
 * unless that is going on already. Resolves at once: nobody waits for a storage that may be slow.
 */
export async function startImageUpkeep(deps: Deps): Promise<void> {
  running ??= clear(deps).finally(() => {
    running = null
  })
}

async function clear(deps: Deps): Promise<void> {
  try {
    await deps.storage.local.sweep()
    await settleDueObjects(deps)
  } catch (error) {
    deps.log.warn({ error: messageOf(error) }, 'image upkeep failed')
  }
}
