import type { DdlStep } from './ddl-step'

/** What installing one definition did: the changes of tables in order, and what else to know. */
export type DefineOutcome = {
  status: 'created' | 'updated' | 'unchanged'
  steps: DdlStep[]
  notes: string[]
}
