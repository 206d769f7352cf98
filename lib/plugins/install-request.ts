import type { OnConflict } from '@/lib/archives/plugin-file'
import type { Actor } from '@/lib/auth/rights'
import type { Decisions, InstallMode } from './contract'
import type { OnDeleted, OnRemoved } from './lifecycle/origin'

export type InstallRequest = {
  /** Loads the archive into memory; called once a slot is free. */
  loadArchive: () => Promise<Uint8Array>
  /** Hex, of the archive's bytes. */
  sha256: string
  /** Name of the archive, as given by the client; only shown, never used as a path. */
  source: string
  mode: InstallMode
  /** Of the plan that was approved: the install runs only while that holds. */
  seal?: string
  /** What decides about records that were changed here; undefined: as the manifests say. */
  onConflict?: OnConflict | undefined
  removed?: OnRemoved | undefined
  deleted?: OnDeleted | undefined
  /** About single records; the rest is decided by `onConflict`. */
  decisions?: Decisions | undefined
  actor: Actor
  requestId: string
}
