import type { SQL } from 'drizzle-orm'
import type { Point } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { ChangeRecord } from './change/prepare-change'
import type { ChangePlan } from './change-once'
import type { Removed } from './delete-linked'
import type { DeleteRecord } from './delete-record'
import type { Insertion, InsertPlan } from './insert-once'

export type RecordsToInsert = { entity: Entity; plan: InsertPlan; insertion: Insertion }

export type RecordToChange = { entity: Entity; plan: ChangePlan; input: ChangeRecord }

export type RecordToDelete = { entity: Entity; json: string; input: DeleteRecord }

/** `undo`: the number of days for which they are to be kept. */
type RecordsToRemove = { entity: Entity; where: SQL; actor: Actor; undo: number | undefined }

/** The former values of records that were edited or imported, with the number of days for which they are kept; `created`: of an import. */
type KeptValues = {
  kind: 'edit' | 'import'
  id: string
  count: number
  created?: number
  days: number
  deletedBy: string
}

/** Records changes of single records, as parts of the statement that makes them or by statements after it. */
export type ChangeRecorder = {
  name: string
  /** Whether it records those of the actor in the entity. */
  records: (actor: Actor, entity: Entity) => boolean
  /** One after the other; `changes` is a query of an id, and of the row before and after as `jsonb`. */
  statements: (entity: Entity, changes: SQL) => SQL[]
}

declare module '@/lib/around' {
  interface Points {
    /** The one statement that stores new records, and returns them as a list in JSON text. */
    insertOnce: Point<Deps, RecordsToInsert, string>
    /** The one statement that changes a record, and returns its new state as `changeOnce` does. */
    changeOnce: Point<Deps, RecordToChange, string | null>
    /** The one statement that deletes a record; returns whether it has. */
    deleteOnce: Point<Deps, RecordToDelete, boolean>
    /** The removal of records in the transaction `db`. */
    removeRecords: Point<Pick<Deps, 'db'>, RecordsToRemove, Removed>
  }
  interface Lists {
    changeRecorders: ChangeRecorder
    /** Each keeps what an edit or an import has written to `trash_records`; without any, that is forgotten. */
    editKeepers: (tx: Db, entity: Entity, edit: KeptValues) => Promise<void>
  }
}
