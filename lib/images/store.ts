import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { formerImageKeys, type ImageRow, images } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { ObjectRef } from './claims'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Throws `not_found`, also for a text that is no image id. */
export async function findImage(db: Db, fileId: string): Promise<ImageRow> {
  const [row] = UUID.test(fileId) ? await db.select().from(images).where(eq(images.id, fileId)) : []
  return row ?? missing(fileId)
}

/** Whether an image uses this object. */
export async function findImageOf(db: Db, object: ObjectRef): Promise<ImageRow | null> {
  const [row] = await db
    .select()
    .from(images)
    .where(and(eq(images.provider, object.provider), eq(images.storageKey, object.storageKey)))
  return row ?? null
}

/** The image whose object on the disk had this key before it was replaced. */
export async function findByFormerKey(db: Db, storageKey: string): Promise<ImageRow | null> {
  const [row] = await db
    .select({ image: images })
    .from(formerImageKeys)
    .innerJoin(images, eq(images.id, formerImageKeys.imageId))
    .where(eq(formerImageKeys.storageKey, storageKey))
  return row?.image ?? null
}

/** Of one image: the oldest are forgotten. */
export const MAX_FORMER_KEYS = 1000

/** Keeps the key of an image's object that is replaced by one of another key, if it is on the disk. */
export async function keepFormerKey(
  tx: Db,
  { id, provider, storageKey }: Pick<ImageRow, 'id' | 'provider' | 'storageKey'>,
): Promise<void> {
  if (provider !== 'local') return
  const { imageId, replacedAt, storageKey: key } = formerImageKeys
  await tx.insert(formerImageKeys).values({ storageKey, imageId: id })
  const surplus = tx
    .select({ key })
    .from(formerImageKeys)
    .where(eq(imageId, id))
    .orderBy(desc(replacedAt), desc(key))
    .offset(MAX_FORMER_KEYS)
  await tx.delete(formerImageKeys).where(inArray(key, surplus))
}

/** Locks the name of an image until the transaction ends. */
export async function lockPublicId(tx: Db, publicId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`image:${publicId}`}, 0))`)
}

/** Call it with the public id locked: two inserts of one name would conflict. */
export async function findByPublicId(tx: Db, publicId: string): Promise<ImageRow | null> {
  const [row] = await tx.select().from(images).where(eq(images.publicId, publicId))
  return row ?? null
}

/** The oldest other image of the folder made from the same bytes. */
export async function findDuplicate(
  db: Db,
  { id, folder, sha256 }: ImageRow,
): Promise<string | null> {
  const [row] = await db
    .select({ id: images.id })
    .from(images)
    .where(and(eq(images.folder, folder), eq(images.sha256, sha256), ne(images.id, id)))
    .orderBy(asc(images.createdAt), asc(images.id))
    .limit(1)
  return row?.id ?? null
}

export type NewImage = Omit<ImageRow, 'id' | 'createdAt' | 'updatedAt'>

export async function insertImage(tx: Db, image: NewImage): Promise<ImageRow> {
  return one(
    await tx
      .insert(images)
      .values({ ...image, id: crypto.randomUUID() })
      .returning(),
  )
}

/** Throws `not_found` when it was deleted meanwhile. */
export async function updateImage(
  tx: Db,
  id: string,
  changes: Partial<NewImage>,
): Promise<ImageRow> {
  const [row] = await tx.update(images).set(changes).where(eq(images.id, id)).returning()
  return row ?? missing(id)
}

/** Throws `not_found` when it was deleted meanwhile. */
export async function deleteImageRow(tx: Db, id: string): Promise<ImageRow> {
  const [row] = await tx.delete(images).where(eq(images.id, id)).returning()
  return row ?? missing(id)
}

function missing(fileId: string): never {
  throw new AppError('not_found', `There is no image "${fileId.slice(0, 100)}"`)
}
