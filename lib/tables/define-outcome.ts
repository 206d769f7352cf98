import type { schemas } from '@/lib/db/schema'
import type { DdlStep } from './ddl-step'

/** `changedAt`: entity that uses it → when its row last changed. */
export type FormerSchema = Pick<
  typeof schemas.$inferSelect,
  'name' | 'definition' | 'updatedAt'
> & { changedAt: Record<string, Date> }

/** The result of installing one definition: the changes of tables in order, and notes. */
export type DefineOutcome = {
  status: 'created' | 'updated' | 'unchanged'
  steps: DdlStep[]
  notes: string[]
  /** Schemas of other definitions that changed with it, as they were before. */
  followed?: FormerSchema[]
}
