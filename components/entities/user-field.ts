import type { FilterField } from '@/components/data-table/filter/field'
import type { ColumnDescription } from './types'

const SIGNATURES = ['CreatedBy', 'LastUpdatedBy']
const OF_USERS = /(^|_)(user|owner|assignee|author|reviewer|approver)(_id)?$|_by$/

/**
 * What a field holds of users, as far as its reference or its name tells: ids, or e-mail addresses, which signatures
 * are made of. Undefined where it holds none.
 */
export function userHeldBy({
  name,
  kind,
  rules,
}: Pick<ColumnDescription, 'name' | 'kind' | 'rules'>): FilterField['user'] {
  if (kind !== 'text' || rules.enum) return undefined
  if (SIGNATURES.includes(name)) return 'email'
  if (rules.reference?.entity === 'EngineUsers')
    return rules.reference.field === 'email' ? 'email' : 'id'
  if (rules.reference) return undefined
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase()
  return OF_USERS.test(words) ? 'id' : undefined
}
