import 'server-only'
import pLimit from 'p-limit'
import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import { endClaim, postpone } from '../claims'
import { requireStorage } from '../require-storage'
import { releaseAll } from './claim-all'
import type { LabelledImage } from './write-labels'

const AT_ONCE = 8
/** A client waits; the sweep sends what is left. */
const WAIT_MS = 10_000

/**
 * Sends recorded labels to the providers of images whose objects `holder` has claimed, and ends
 * those claims. Returns how many are left to the sweep, because their provider failed or is slow.
 * Never throws.
 */
export async function sendLabels(
  deps: Deps,
  holder: string,
  changes: readonly LabelledImage[],
): Promise<number> {
  const until = performance.now() + WAIT_MS
  const inTurn = pLimit(AT_ONCE)
  const sent = await Promise.all(
    changes.map((one) => inTurn(() => performance.now() < until && send(deps, holder, one))),
  )
  const left = sent.filter((done) => !done).length
  if (left > 0) await releaseAll(deps.db, holder).catch(() => {}) // the leases expire by themselves
  return left
}

async function send(
  deps: Deps,
  holder: string,
  { image, labels }: LabelledImage,
): Promise<boolean> {
  const { provider, storageKey } = image
  const claim = { provider, storageKey, holder }
  try {
    await requireStorage(deps, image).label(storageKey, labels)
    await endClaim(deps.db, claim)
    return true
  } catch (error) {
    deps.log.warn({ ...claim, error: messageOf(error) }, 'labels not sent')
    await postpone(deps.db, claim, messageOf(error)).catch(() => {})
    return false
  }
}
