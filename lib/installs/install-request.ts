import type { z } from 'zod'
import type { OnConflict, PlannedFile } from '@/lib/archives/plugin-file'
import type { Actor } from '@/lib/auth/rights'
import type { RecordConflict } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import type { Basis } from './basis'
import type { Decisions, InstallMode, installQuery } from './contract'
import type { NamedArchive } from './require-named'

/** What happens to records that a file gave before and gives no longer. */
export type OnRemoved = 'keep' | 'delete'
/** What happens to records that were deleted here: they stay so, or are created again. */
export type OnDeleted = 'keep' | 'restore'

/** An install that is carried out, by somebody with the rights of this moment. */
type Carried = { id: number; actor: Actor }

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
  /** The address of the server whose records these are: what it and this one number by themselves is told apart. */
  from?: string | undefined
  /** About single records; the rest is decided by `onConflict`. */
  decisions?: Decisions | undefined
  /** Another key than that of the installed version is accepted. */
  acceptKey?: boolean | undefined
  /** What an index says that the archive is. */
  named?: NamedArchive | undefined
  /** The archive was made here, from what is installed. */
  isLocal?: boolean | undefined
  /** Of which it was made: it is installed only while the plugin is that. */
  basis?: Basis | undefined
  /** What else is done in the transaction of an install that is all or nothing, once its files are; it reports itself as the file `path`. */
  also?: { path: string; run: (tx: Db, install: Carried) => Promise<void> } | undefined
  actor: Actor
  requestId: string
}

/** A table of which that of a dry run has only a part. */
export type Original = Pick<Entity, 'table' | 'isDistributed'>

/** What the request says about records that were changed here; a manifest decides about what it leaves out. */
export type Choices = Pick<
  InstallRequest,
  'onConflict' | 'removed' | 'deleted' | 'decisions' | 'from'
> & {
  /** Sees each conflict of a dry run. */
  onConflictFound?: (file: PlannedFile, conflict: RecordConflict) => void
  /** In a dry run, the table of which that of the entity has only a part. */
  originalOf?: (entity: string) => Original | undefined
}

type Query = z.infer<typeof installQuery>

const UNPLANNED =
  'decisions: An install with decisions needs the "seal" of a plan that was made with them'

const NOT_ATOMIC = 'from: An install of the records of another server needs mode=atomic'

/** What a request asks for besides its archive. Throws `invalid_input`. */
export function readAsked(query: Query, decisions: Decisions | undefined) {
  const { mode, seal, onConflict, removed, deleted, acceptKey, from } = query
  if (decisions && !query.dryRun && !seal) throw new AppError('invalid_input', UNPLANNED)
  if (from !== undefined && mode !== 'atomic') throw new AppError('invalid_input', NOT_ATOMIC)
  return { mode, seal, onConflict, removed, deleted, acceptKey, from, decisions }
}

/** Which part of a plan's records or conflicts is asked for: a page of one data file. */
export type RecordsPage = {
  file: string
  page: number
  size: number
  detail: 'records' | 'conflicts'
}

/** Throws `invalid_input` for a page without a dry run, or without a file. */
export function readPage({ dryRun, detail, file, page, size }: Query): RecordsPage | undefined {
  if (detail === undefined) return undefined
  if (!dryRun) throw new AppError('invalid_input', `detail=${detail} needs dryRun=true`)
  if (file === undefined)
    throw new AppError('invalid_input', `detail=${detail} needs the path of a data file as "file"`)
  return { file, page, size, detail }
}
