import type { ImageRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import type { NewObject, Storage, StoredObject } from '@/lib/storage/storage'
import {
  type Claim,
  claim,
  endClaim,
  findDueObjects,
  type ObjectRef,
  postpone,
  tryClaim,
} from './claims'
import { cropAfter } from './framing-contract'
import { findImageOf, updateImage } from './store'

/**
 * Reconciles an object with the records: an object that no image names is removed; one that an
 * image names stays, and the image is updated with the provider's facts. Skips an object that is
 * claimed. Never throws: a failure is recorded with the claim and retried later.
 */
export async function settleObject(deps: Deps, object: ObjectRef): Promise<void> {
  try {
    const claim = await tryClaim(deps.db, object)
    if (claim) await settleClaim(deps, claim)
  } catch (error) {
    deps.log.warn({ ...object, error: messageOf(error) }, 'stored object not settled')
  }
}

/** The same for an object that the caller has claimed. */
export async function settleClaim(deps: Deps, claim: Claim): Promise<void> {
  try {
    await settle(deps, claim)
    await endClaim(deps.db, claim)
  } catch (error) {
    deps.log.warn({ ...claim, error: messageOf(error) }, 'stored object not settled')
    await postpone(deps.db, claim, messageOf(error)).catch(() => {
      // The database is away; the lease expires by itself.
    })
  }
}

/** Settles every object that is due, one after the other. */
export async function settleDueObjects(deps: Deps): Promise<void> {
  for (const object of await findDueObjects(deps.db)) await settleObject(deps, object)
}

async function settle({ db, storage }: Deps, claim: Claim): Promise<void> {
  const home = storage.of(claim.provider)
  if (!home) throw new Error(`The storage "${claim.provider}" is not set up`)
  const image = await findImageOf(db, claim)
  if (image) await adopt(db, home, image)
  else await home.remove(claim.storageKey)
}

/**
 * A process may have died after a change of labels or after an upload that replaced an object in
 * place, before it wrote the record: the provider gets the record's labels, and the record the
 * facts of the new picture. The texts that its name was made from are lost.
 */
async function adopt(db: Deps['db'], home: Storage, image: ImageRow): Promise<void> {
  const facts = await home.describe(image.storageKey)
  if (!facts) return
  await home.label(image.storageKey, image)
  if (facts.secureUri === image.secureUri) return
  const { assetId, uri, secureUri, bytes, width, height, format } = facts
  const mediaType = `image/${format === 'jpg' ? 'jpeg' : format}`
  await updateImage(db, image.id, {
    ...{ assetId, uri, secureUri, bytes, width, height, format, mediaType },
    crop: cropAfter(image, facts),
    sha256: '',
  })
}

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

/** The storage of an image. Throws `unavailable` when that provider is no longer configured. */
export function requireStorage({ storage }: Deps, { provider }: ImageRow): Storage {
  const home = storage.of(provider)
  if (home) return home
  const message = `The image is kept at "${provider}", which this server is not set up for`
  throw new AppError('unavailable', message)
}
