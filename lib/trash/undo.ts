import { z } from 'zod'

const MAX_UNDO_DAYS = 30

/** `7d`: for so many days a deletion can be taken back. */
export const undo = z
  .string()
  .regex(/^\d{1,3}d$/, 'must be a number of days, such as 7d')
  .transform((text) => Number.parseInt(text, 10))
  .refine((days) => days >= 1 && days <= MAX_UNDO_DAYS, `must be between 1d and ${MAX_UNDO_DAYS}d`)
  .optional()
  .meta({ description: 'Keep what goes for so many days, such as `7d`: it can be restored' })
