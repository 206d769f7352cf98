import { sql } from 'drizzle-orm'
import { index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Crop, FocalPoint } from '@/lib/images/framing-contract'
import { createdAt, engine, instant, updatedAt } from './engine'

export const STORAGE_PROVIDERS = ['local', 'cloudinary'] as const
export type StorageProvider = (typeof STORAGE_PROVIDERS)[number]

/**
 * Images that are stored: each row names one object of its provider, and no object is without a
 * row.
 */
export const images = engine.table(
  'images',
  {
    id: uuid('id').primaryKey(),
    /** The provider's identifier of the object: Cloudinary's `asset_id`, on disk the version. */
    assetId: text('asset_id').notNull(),
    /** `folder/name`, or the name alone. */
    publicId: text('public_id').notNull(),
    name: text('name').notNull(),
    /**
     * Namespace and asset id as they were sent, of which `publicId` was made; null of images from
     * before it was kept.
     */
    sentAs: text('sent_as'),
    /** The namespace; empty when there was none. */
    folder: text('folder').notNull(),
    mediaType: text('media_type').notNull(),
    format: text('format').notNull(),
    /** Of what is stored: metadata may have been taken out of what was sent. */
    bytes: integer('bytes').notNull(),
    /** As the image is shown, its orientation applied. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    tags: text('tags').array().notNull().default(sql`'{}'`),
    context: jsonb('context').$type<Record<string, string>>().notNull().default({}),
    /** The part that smaller forms show, null for the whole; in fractions of width and height. */
    crop: jsonb('crop').$type<Crop>(),
    /** What forms of other proportions keep in their middle; null for the middle of what they show. */
    focalPoint: jsonb('focal_point').$type<FocalPoint>(),
    /** Hex, of the file as it was sent. */
    sha256: text('sha256').notNull(),
    provider: text('provider', { enum: STORAGE_PROVIDERS }).notNull(),
    /** The provider's key of the object. */
    storageKey: text('storage_key').notNull(),
    /** Absolute, or a path below the app's own address. */
    uri: text('uri').notNull(),
    secureUri: text('secure_uri').notNull(),
    createdBy: text('created_by'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('images_public_id_unique').on(t.publicId),
    uniqueIndex('images_object_unique').on(t.provider, t.storageKey),
    index('images_content').on(t.folder, t.sha256),
    index('images_created').on(t.createdAt.desc(), t.id),
  ],
)
export type ImageRow = typeof images.$inferSelect

/**
 * Keys of objects on the disk that replaced images had, so that their addresses lead to the image as
 * it is now; for as long as it exists.
 */
export const formerImageKeys = engine.table(
  'former_image_keys',
  {
    storageKey: text('storage_key').primaryKey(),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    replacedAt: instant('replaced_at').notNull().defaultNow(),
  },
  (t) => [index('former_image_keys_image').on(t.imageId, t.replacedAt.desc())],
)

/**
 * Objects that may exist without a row in `images`: written before an upload starts, taken away
 * with the row's commit. The upload or sweep that works on the object holds the claim until
 * `due_at`; after that the sweep takes it, and removes the object unless an image names it.
 */
export const storageClaims = engine.table(
  'storage_claims',
  {
    provider: text('provider', { enum: STORAGE_PROVIDERS }).notNull(),
    storageKey: text('storage_key').notNull(),
    /** The upload or sweep that holds the claim; null while the object waits for its removal. */
    holder: uuid('holder'),
    dueAt: instant('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    error: text('error'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.storageKey] }),
    index('storage_claims_due').on(t.dueAt),
  ],
)
