import type { Deps } from '@/lib/deps'
import 'server-only'
import type { ImageRow } from '@/lib/db/schema'
import { messageOf } from '@/lib/errors'
import type { Storage } from '@/lib/storage/storage'
import { type Claim, endClaim, findDueObjects, type ObjectRef, postpone, tryClaim } from './claims'
import { findImageOf, updateImage } from './store'

/**
 * Brings an object and the records into line: an object that no image names is removed; one that an
 * image names stays, and the image is told what the provider has. Somebody at work on the object is
 * left to it. Never throws: what fails is noted with the claim and tried again later.
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
      // The database is away; the lease ends by itself.
    })
  }
}

/** Settles every object whose time has come, one after the other. */
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
 * A change of labels may have died before its record was written, or an upload that replaced an
 * object in place: the provider gets the record's labels, and the record the facts of the new picture.
 * What that was made from is not known any more.
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
    sha256: '',
  })
}
