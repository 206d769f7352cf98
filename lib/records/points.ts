import type { Point } from '@/lib/around'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { Insertion, InsertPlan } from './insert-once'

export type RecordsToInsert = { entity: Entity; plan: InsertPlan; insertion: Insertion }

declare module '@/lib/around' {
  interface Points {
    /** The one statement that stores new records, and returns them as a list in JSON text. */
    insertOnce: Point<Deps, RecordsToInsert, string>
  }
}
