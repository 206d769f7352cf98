import { flushSync } from 'react-dom'
import type { AvailablePlugin } from './index-queries'
import { installQueue } from './install-queue'

/** Plans a version of the index, or shows the plan that is there; the focus follows, since the plan may be out of sight. */
export function planOffer({ id, name, versions }: AvailablePlugin, version: string | null): void {
  const found = versions.find((one) => one.version === version)
  if (!found) return
  let item = ''
  flushSync(() => {
    item = installQueue.addOffer({ id, name, version: found.version, sha256: found.sha256 })
  })
  document.getElementById(archiveId(item))?.focus()
}

/** Of the element that shows an archive of the queue. */
export const archiveId = (item: string) => `archive-${item}`
