import { z } from 'zod'
import { instant } from '@/lib/values/wire-types'

export const restoreForm = z.object({
  file: z.string().meta({ format: 'binary', description: 'A backup, a TAR' }),
})

/** What was restored. */
export const restored = z.object({
  createdAt: instant.meta({ description: 'Of the backup' }),
  rows: z.int(),
  images: z.int(),
  warnings: z.array(z.string()),
})
export type Restored = z.infer<typeof restored>
