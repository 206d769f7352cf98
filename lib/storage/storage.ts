import type { StorageProvider } from '@/lib/db/schema'
import type { Region } from '@/lib/images/framing-contract'

/** Labels of an image; kept in the record, and at providers that support them. */
export type Labels = { tags: readonly string[]; context: Readonly<Record<string, string>> }

/** Where to store an object: `folder` may be empty, `extension` is that of its format. */
export type ObjectName = { folder: string; name: string; extension: string }

export type NewObject = ObjectName & {
  /** A result of `keyFor`. */
  key: string
  /** The file to read; it is not removed. */
  path: string
  labels: Labels
}

/**
 * A stored object: the identifier that the provider gave it, and its addresses, absolute or paths
 * below the app's own address.
 */
export type StoredObject = { assetId: string; uri: string; secureUri: string }

/** What a provider reports about the object at a key. */
export type ObjectFacts = StoredObject & {
  bytes: number
  width: number
  height: number
  format: string
}

/**
 * A provider that stores images. Every function throws `upstream_failed` or `upstream_timeout` when
 * the provider fails, after which the object may exist or not.
 */
export interface Storage {
  readonly provider: StorageProvider
  /**
   * The key of an object that will be stored. Providers that keep all versions never reuse a key.
   */
  keyFor(name: ObjectName): string
  /** Stores the object as a whole or not at all; at the same key it replaces what is there. */
  put(object: NewObject): Promise<StoredObject>
  /** Replaces the labels of an object. */
  label(key: string, labels: Labels): Promise<void>
  /** Deletes the object at `key`, if there is one. */
  remove(key: string): Promise<void>
  /** The object at `key`; null when there is none or the provider's objects never change. */
  describe(key: string): Promise<ObjectFacts | null>
  /** Throws when no object can be stored now. */
  check(): Promise<void>
}

/** The storages of this server. Images stay where they were stored when the current one changes. */
export type Storages = {
  current: Storage
  /** Null when that provider is no longer configured. */
  of(provider: StorageProvider): Storage | null
  /** Files that the app serves itself. */
  local: LocalFiles
}

/** Reading side of the local storage. Null for a key that no object has, or can have. */
export type LocalFiles = {
  /** Folder for incomplete files, on the same disk as the objects. */
  readonly temporary: string
  find(key: string): Promise<LocalFile | null>
  /** The object as a smaller WebP; made when first asked for. */
  findThumbnail(key: string, form: ThumbnailForm): Promise<LocalFile | null>
  /** Removes the thumbnails of parts of an object. */
  removeParts(key: string): Promise<void>
  /** Removes incomplete files of killed processes. */
  sweep(): Promise<void>
}

/** No wider than `width` pixels, of `region` or of the whole image. */
export type ThumbnailForm = { width: number; region: Region | null }

/** `size` in bytes; `version` changes with the content. */
export type LocalFile = { path: string; size: number; mediaType: string; version: string }
