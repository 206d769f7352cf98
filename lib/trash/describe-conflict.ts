import { showable } from '@/lib/rows/record-faults'
import { literalOf } from '@/lib/values/exact-numbers'
import type { RestoreConflict } from './contract'
import type { ConflictRow } from './store'

/** A record that could not be restored, as clients see it. */
export function toConflict({ key, problem }: ConflictRow): RestoreConflict {
  const { reason, fields, value } = problem
  const names = fields.map((name) => `"${name}"`).join(', ')
  const shown = literalOf(value) ?? JSON.stringify(showable(value))
  const messages: Record<typeof problem.reason, string> = {
    'key-taken': `The key ${names} = ${shown} is taken again`,
    'unique-taken': `${names} must be unique: another record has ${shown} now`,
    'reference-gone': `${names} refers to ${shown}, which no longer exists`,
    'changed-since': `${names} has been changed since, to ${shown}`,
    'record-gone': 'The record has been deleted since',
    'does-not-fit': `${names} can no longer be ${shown}: the entity has changed since`,
  }
  return { key, reason, fields, message: messages[reason] }
}
