import type { DdlStep } from './ddl-step'

/** The result of installing one definition: the changes of tables in order, and notes. */
export type DefineOutcome = {
  status: 'created' | 'updated' | 'unchanged'
  steps: DdlStep[]
  notes: string[]
}
