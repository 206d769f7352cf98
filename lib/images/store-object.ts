import type { Deps } from '@/lib/deps'
import 'server-only'
import { messageOf } from '@/lib/errors'
import type { NewObject, StoredObject } from '@/lib/storage/storage'
import { type Claim, claim, postpone } from './claims'

type Stored = { claim: Claim; stored: StoredObject }

/**
 * Claims an object at the current storage, and stores it if `check` does not throw then. The claim lasts until an image names the
 * object or the sweep has removed it. Throws what `check` and the storage do, and `conflict` while
 * another request works on the same object.
 */
export async function storeObject(
  { db, storage, log }: Deps,
  object: Omit<NewObject, 'key'>,
  check: () => Promise<void>,
): Promise<Stored> {
  const { current } = storage
  const key = current.keyFor(object)
  const claimed = await claim(db, { provider: current.provider, storageKey: key })
  try {
    await check()
    return { claim: claimed, stored: await current.put({ ...object, key }) }
  } catch (error) {
    // The object may exist nevertheless, or arrive later: the sweep checks when that is over.
    await postpone(db, claimed, messageOf(error)).catch((cause) =>
      log.warn({ ...claimed, error: messageOf(cause) }, 'claim left to its end'),
    )
    throw error
  }
}
