import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { isUuid } from '@/lib/values/uuid'
import { GROUP_ATTRIBUTES, GROUP_SCHEMA } from './attributes'
import type { PatchBody } from './contract'
import { matchValue } from './filter/match-value'
import { MAX_MEMBERS } from './group-view'
import type { Filter } from './parse-filter'
import { applyPatch } from './patch/apply-patch'
import { type Operation, readOperation } from './patch/read-operation'
import { scimError } from './scim-error'
import { readAttributes } from './values/read-values'

/** What a client may set of a group; `members` are ids of users. */
export type GroupDraft = { displayName: string; externalId: string | null; members: Set<string> }

const MAX_NAME = 256

/** A group as a client sent it. Throws `invalidValue`. */
export function readGroup(body: JsonObject): GroupDraft {
  const key = Object.keys(body).find((name) => name.toLowerCase() === 'members')
  const members = key === undefined ? undefined : body[key]
  const { displayName, externalId } = readAttributes(
    GROUP_SCHEMA.attributes.filter(({ name }) => name !== 'members'),
    body,
  )
  if (typeof displayName !== 'string' || displayName.length > MAX_NAME)
    throw scimError('invalidValue', `displayName needs 1 to ${MAX_NAME} characters`)
  return {
    displayName,
    externalId: (externalId as string | undefined) ?? null,
    members: readMembers(members),
  }
}

/** The group after a PATCH. Throws as `applyPatch` does. */
export function patchGroup(before: GroupDraft, { Operations }: PatchBody): GroupDraft {
  let { displayName, externalId }: { displayName?: Json; externalId?: Json } = before
  let members = new Set(before.members)
  let conditions = 0
  for (const sent of Operations)
    for (const operation of readOperation(sent, GROUP_SCHEMA)) {
      if (operation.place.attribute.name === 'members') {
        if (operation.filter && !namedBy(operation.filter) && ++conditions > MAX_CONDITIONS)
          throw tooManyConditions()
        members = changeMembers(members, operation)
      } else {
        const plain = {
          ...(displayName ? { displayName } : {}),
          ...(externalId ? { externalId } : {}),
        }
        const { op, place, value } = operation
        const one = { op, path: place.attribute.name, value }
        ;({ displayName, externalId } = applyPatch(plain, { Operations: [one] }, GROUP_SCHEMA))
      }
    }
  const draft = readGroup({ displayName: displayName ?? null, externalId: externalId ?? null })
  return { ...draft, members }
}

/** As a set, which is changed: lists and copies would take the square of its length. */
function changeMembers(members: Set<string>, { op, place, filter, value }: Operation): Set<string> {
  if (place.sub) throw scimError('mutability', 'Parts of a member cannot be changed')
  if (filter) {
    if (op !== 'remove') throw scimError('mutability', 'A member cannot be changed, only removed')
    const named = namedBy(filter)
    if (named !== null) return without(members, [named])
    const isChosen = (id: string) => matchValue({ value: id, type: 'User' }, filter, MEMBERS)
    return without(members, [...members].filter(isChosen))
  }
  const sent = readMembers(value)
  if (op === 'replace') return sent
  if (op === 'remove') return sent.size === 0 ? sent : without(members, sent)
  for (const id of sent) members.add(id)
  return limited(members)
}

function without(members: Set<string>, removed: Iterable<string>): Set<string> {
  for (const id of removed) members.delete(id)
  return members
}

/** The one member that `value eq "…"` means; null for another filter. */
const namedBy = (filter: Filter): string | null =>
  filter.op === 'eq' && filter.path.toLowerCase() === 'value' && typeof filter.value === 'string'
    ? filter.value.toLowerCase()
    : null

/** Each goes through all members. */
const MAX_CONDITIONS = 20

const MEMBERS = GROUP_ATTRIBUTES.find(
  ({ name }) => name === 'members',
) as (typeof GROUP_ATTRIBUTES)[number]

/** Ids of users in lower case. */
function readMembers(sent: Json | undefined): Set<string> {
  if (sent === undefined || sent === null) return new Set()
  const list = Array.isArray(sent) ? sent : [sent]
  if (list.length > MAX_MEMBERS) throw tooMany()
  return new Set(list.map(readMember))
}

function readMember(sent: Json): string {
  const { value, type } = isObject(sent) ? sent : { value: sent, type: undefined }
  if (typeof type === 'string' && type.toLowerCase() !== 'user')
    throw scimError('invalidValue', 'Groups hold users, no other groups')
  if (typeof value !== 'string' || !isUuid(value))
    throw scimError('invalidValue', 'A member needs the id of a user as its value')
  return value.toLowerCase()
}

function limited(members: Set<string>): Set<string> {
  if (members.size > MAX_MEMBERS) throw tooMany()
  return members
}

const tooManyConditions = () =>
  scimError(
    'tooMany',
    `A request has at most ${MAX_CONDITIONS} operations with other filters than value eq "…"`,
  )

const tooMany = () =>
  scimError('invalidValue', `A group has at most ${MAX_MEMBERS} members`, 'too_large')
