import { AppError } from '@/lib/errors'
import { NAMED_KINDS } from './actor-named'
import type { RightsQuery } from './contract'
import type { WhyQuestion } from './explain-right'

/** The question about one right in a query; null: it asks for a list. Throws `invalid_input` where it names nobody. */
export function readWhy(query: RightsQuery): WhyQuestion | null {
  const { action, id, field, user, key } = query
  if ([action, id, field, user, key].every((part) => part === undefined)) return null
  const [named, another] = NAMED_KINDS.flatMap((kind) =>
    query[kind] ? [{ kind, id: query[kind] }] : [],
  )
  if (!named || another) throw refused('user', 'Name a user, a key or a role, and one only')
  if (query.entity === '') throw refused('entity', 'Name the entity')
  return { named, entity: query.entity, action: action ?? 'read', id, field }
}

const refused = (field: string, error: string) =>
  new AppError('invalid_input', `${field}: ${error}`, { validations: [{ field, error }] })
