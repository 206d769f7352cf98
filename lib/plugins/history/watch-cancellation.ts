import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { stopCancelled } from '@/lib/plugins/cancellations'
import { getInstall } from '@/lib/plugins/store'

const LOOK_MS = 2_000

/** Stops an install of this process when another one has cancelled it. Returns a function that ends the watch. */
export function watchCancellation(deps: Pick<Deps, 'db'>, id: number): () => void {
  const look = async () => {
    try {
      const { cancelledBy } = await withOwnBudget({ ms: LOOK_MS * 5 }, () =>
        getInstall(deps.db, id),
      )
      if (cancelledBy !== null) stopCancelled(id, cancelledBy)
    } catch {
      // Looks again; a cancelled install can write nothing in the meantime.
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return () => clearInterval(timer)
}
