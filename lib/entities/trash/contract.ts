import { z } from 'zod'
import { wholeNumber } from '@/lib/entities/contract'
import { strictObject } from '@/lib/strict-object'
import { undo } from './undo'

/** Query of `DELETE /api/entities/:entityName/:id`. */
export const deleteRecordQuery = strictObject({ undo })

/** Query of `GET /api/trash`. */
export const trashQuery = strictObject({
  page: wholeNumber(z.number().max(1_000_000, 'is too large')).default(0),
  size: wholeNumber(
    z.number().min(1, 'must be at least 1').max(1000, 'must be at most 1000'),
  ).default(10),
  /** Of this entity only. */
  entity: z.string().min(1).max(200).optional(),
})
export type TrashQuery = z.infer<typeof trashQuery>

export const batchParams = z.strictObject({ batchId: z.string().min(1).max(100) })

/** A deletion that can be taken back. */
export type TrashBatch = {
  batchId: string
  entity: string
  /** Records that are still in it. */
  count: number
  deletedBy: string
  deletedAt: string
  expiresAt: string
}

/** A record that could not be restored, and stays in the trash. */
export type RestoreConflict = {
  /** Its key; of several parts an object. */
  key: unknown
  reason: 'key-taken' | 'unique-taken' | 'reference-gone' | 'does-not-fit'
  fields: string[]
  message: string
}
