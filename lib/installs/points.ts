import type { SQL } from 'drizzle-orm'
import type { PluginManifest } from '@/lib/archives/manifests'
import type { Installed } from '@/lib/archives/plan-install'
import type { Definition, PlannedFile } from '@/lib/archives/plugin-file'
import type { RecordContents } from '@/lib/archives/record-contents'
import type { Layers, Point } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import type { Log } from '@/lib/log'
import type { CopyFormat } from '@/lib/rows/copy-rows'
import type { Copied } from '@/lib/rows/load-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { DefineOutcome } from '@/lib/tables/definition-transaction'
import type { FileKeys } from './file-keys'
import type { FileHistory, FileReport } from './file-report'
import type { Choices, InstallRequest } from './install-request'
import type { FailedDefinitions } from './run/failed-definitions'
import type { RecordWriter } from './write-records'

/** What all files of an install share. */
export type InstallContext = {
  /** Null in a dry run, which is not in the history. */
  installId: number | null
  /** Records each file with its own effects; null if all files are kept or none. */
  history: FileHistory | null
  pluginId: string
  /** It is a version with changes that were made on a server; `isLocal`: on this one. */
  isEdited: boolean
  isLocal: boolean
  /** The installer: decides what may be installed, and is recorded in the records' audit fields. */
  actor: Actor
  /** Of the archive, in their order. */
  files: readonly PlannedFile[]
  /** Names of the entities that this install has created so far. */
  created: Set<string>
  /** Those of the archive that are installed so far as it has them. */
  defined: DefinitionName[]
  /** Those that have failed so far. */
  failed: FailedDefinitions
  log: Log
  layers: Layers
  /** How long a file waits for locks of others. */
  waitMs: number
  /** Set when everything is going to be rolled back: locks of others then end the run, not the file. */
  dryRun: DryRun | null
} & Choices

/** The same for one data file. */
export type DataContext = InstallContext & {
  file: PlannedFile
  /** Its records that get other numbers here than on the server from which they come. */
  renumbered?: { entity: string; key: string; sourceKey: string }[]
}

/** The additional work of a dry run: called before a file's records are written, and after. */
export type DryRun = {
  beforeRecords: (tx: Db, records: FileRecords, context: DataContext) => Promise<void>
  afterRecords: (tx: Db, file: PlannedFile) => Promise<void>
}

/** The records of a data file, which can be read several times. */
export type FileRecords = {
  entity: Entity
  onDuplicate: InsertDuplicate
  /** Whether all have a key in the file. */
  areKeyed: boolean
  parts: () => AsyncIterable<readonly PreparedRow[]>
}

/** Checked records of a file, and the contents of those that have no key there. */
export type CheckedRecords = { rows: PreparedRow[]; contents: RecordContents }

/** Where the records of a file are written. */
export type RecordTarget = {
  tx: Db
  entity: Entity
  onDuplicate: InsertDuplicate
  /** Whether records come in several parts, which may refer to each other in any order. */
  isPart: boolean
}

/** Files that are copied together, each with the index of its first record among those of all. */
export type CopiedFiles = readonly { file: PlannedFile; first: number }[]

/** What is to be kept of records that COPY writes into an empty table with these columns. */
export type BeginCopies = (columns: CopyFormat['columns']) => CopyRecorder

export type CopyRecorder = {
  /** Takes what COPY wrote, and the contents of the records among them that have no key in the file. */
  keep: (copied: Copied, contents: RecordContents) => Promise<void>
  /** False when not all is kept, or the table of a single file has other records than the `created` ones. */
  end: (created: number, newExtraFields: readonly string[]) => Promise<boolean>
}

/** Which stored records an install of a file may touch, so that a dry run copies no others. */
export type TouchedRecords = {
  /** Returns those of the rows that may be written; null: all of them. */
  choose: ((rows: readonly PreparedRow[]) => Promise<readonly PreparedRow[]>) | null
  /** What follows `from` in a query of stored records of a table that the file would remove; null: none. */
  removed: ((keys: FileKeys) => (table: SQL) => SQL) | null
}

export type LoadInstalled = {
  db: Db
  manifest: PluginManifest
  request: Pick<InstallRequest, 'isLocal' | 'onConflict' | 'decisions'>
}

/** In the order of an install. */
declare module '@/lib/around' {
  interface Points {
    /** What a plan is made of beside the archive. */
    loadInstalled: Point<object, LoadInstalled, Installed>
    /** The row of the plugin, with its first file that succeeds. */
    registerPlugin: Point<Omit<FileHistory, 'isRegistered'>, Db, void>
    /** A definition, checked and applied, in the transaction of its file. */
    installDefinition: Point<InstallContext, { tx: Db; definition: Definition }, DefineOutcome>
    /** A data file, from its records in the archive to its report. */
    installData: Point<DataContext, Db, FileReport>
    /** Records of a file that is read as a whole, once they are checked. */
    checkRecords: Point<DataContext, CheckedRecords & { db: Db; entity: Entity }, CheckedRecords>
    /** What writes the records of a file, in its transaction. */
    beginWriting: Point<DataContext, RecordTarget, RecordWriter>
    /** What accompanies the COPY of a file into an empty table, or of a `group` that the first one begins into any. */
    beginCopies: Point<DataContext, { tx: Db; entity: Entity; group?: CopiedFiles }, BeginCopies>
    /** In a dry run, which stored records the file may touch. */
    findTouched: Point<DataContext, { tx: Db; records: FileRecords }, TouchedRecords>
  }
}
