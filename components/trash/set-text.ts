import type { TrashBatch } from '@/lib/trash/contract'
import { plainText } from '@/lib/values/exact-json'

/** `price = 12.5, stock = {"$increment":1}` */
export const setText = (set: NonNullable<TrashBatch['set']>): string =>
  Object.entries(set)
    .map(([field, value]) => `${field} = ${plainText(value)}`)
    .join(', ')
