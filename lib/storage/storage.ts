import type { StorageProvider } from '@/lib/db/schema'

/** What people attach to an image; kept in the record, and at providers that can hold it. */
export type Labels = { tags: readonly string[]; context: Readonly<Record<string, string>> }

/** Where an object is to be kept: `folder` may be empty, `extension` is that of its format. */
export type ObjectName = { folder: string; name: string; extension: string }

export type NewObject = ObjectName & {
  /** As `keyFor` made it. */
  key: string
  /** The file to read; it is left where it is. */
  path: string
  labels: Labels
}

/**
 * A stored object: the identifier that the provider gave it, and its addresses, absolute or paths
 * below the app's own address.
 */
export type StoredObject = { assetId: string; uri: string; secureUri: string }

/** What a provider says it holds under a key. */
export type ObjectFacts = StoredObject & {
  bytes: number
  width: number
  height: number
  format: string
}

/**
 * A place where images are kept. Every function throws `upstream_failed` or `upstream_timeout` when
 * the provider fails, after which the object may be there or not.
 */
export interface Storage {
  readonly provider: StorageProvider
  /** Names the object before it is stored. Providers that keep versions apart never repeat a key. */
  keyFor(name: ObjectName): string
  /** Stores the object as a whole or not at all; at the same key it replaces what is there. */
  put(object: NewObject): Promise<StoredObject>
  /** Replaces the labels of an object. */
  label(key: string, labels: Labels): Promise<void>
  /** Makes sure that nothing is stored under `key`. */
  remove(key: string): Promise<void>
  /** What is under `key`, null when nothing is or the provider's objects never change. */
  describe(key: string): Promise<ObjectFacts | null>
  /** Throws when nothing could be stored now. */
  check(): Promise<void>
}

/** The storages of this server. Images stay where they were stored when the current one changes. */
export type Storages = {
  current: Storage
  /** Null when that provider is not set up any more. */
  of(provider: StorageProvider): Storage | null
  /** Files that the app serves itself. */
  local: LocalFiles
}

/** Reading side of the local storage. A key that no object has, or could have, answers null. */
export type LocalFiles = {
  /** Folder for files on their way; on the same disk as the objects. */
  readonly temporary: string
  find(key: string): Promise<LocalFile | null>
  /** The object as a WebP no wider than `width`; made when first asked for. */
  findThumbnail(key: string, width: number): Promise<LocalFile | null>
  /** Removes what a killed process left half written. */
  sweep(): Promise<void>
}

/** `size` in bytes; `version` changes with the content. */
export type LocalFile = { path: string; size: number; mediaType: string; version: string }
