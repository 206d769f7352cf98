import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import { settleDueObjects } from './settle-object'

let running = false

/**
 * Starts to remove incomplete files and objects that no image names, unless that is running
 * already. Resolves immediately: callers must not wait for a storage that may be slow.
 */
export async function startImageUpkeep(deps: Deps): Promise<void> {
  if (running) return
  running = true
  void clear(deps).finally(() => {
    running = false
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
